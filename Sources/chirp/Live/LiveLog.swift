import Glibc
import Synchronization

/// What live listening keeps to itself on the screen, in a file for whoever wants to know (UF-6): one line per event with its
/// time, at most two files of ``most`` bytes, readable by their owner alone. A log that cannot be written does not matter.
final class LiveLog: Sendable {
    /// Where the file before this one is.
    private static let formerSuffix = ".1"

    private let path: String
    private let most: Int
    private let bytes: Mutex<Int?>

    init(path: String, most: Int = 1_000_000) {
        self.path = path
        self.most = most
        bytes = Mutex(nil)
    }

    /// - Parameter line: made safe to show, of one line.
    func write(_ line: String, at time: String) {
        bytes.withLock { bytes in
            let text = Array("\(time) \(line)\n".utf8)
            if (bytes ?? most) + text.count > most { bytes = begin(text.count) }
            let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { return }
            defer { close(file) }
            let written = text.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            bytes = (bytes ?? 0) + max(0, written)
        }
    }

    /// Looks how large the file is, and sets it aside when so much more does not fit.
    private func begin(_ count: Int) -> Int {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return 0 }
        guard Int(facts.st_size) + count > most else { return Int(facts.st_size) }
        _ = rename(path, path + Self.formerSuffix)
        return 0
    }
}
