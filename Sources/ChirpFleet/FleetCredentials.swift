internal import ChirpCore
// In a debug build the fields of stat(2) belong to this module.
internal import CDispatch
internal import Glibc

/// Who a client is, from a file that only its owner may read.
enum FleetCredentials {
    case user(String, password: Secret)
    /// A file by `nsc`: a token signed for the user, and the key that proves it is theirs. The library reads it itself.
    case signed(path: String)

    /// - Throws: `badCredentials`, which never says what is in the file.
    init(path: String) throws(FleetError) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .badCredentials(path: path, reason: String(cString: strerror(errno))) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .badCredentials(path: path, reason: "it is no file")
        }
        guard facts.st_mode & 0o077 == 0 else {
            throw .badCredentials(path: path, reason: "others may read it")
        }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        if text.contains("BEGIN NATS USER JWT") {
            self = .signed(path: path)
            return
        }
        let line = text.prefix { !$0.isNewline }
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
            throw .badCredentials(path: path, reason: "it is neither of nsc nor a line user:password")
        }
        self = .user(String(line[..<colon]), password: Secret(String(line[line.index(after: colon)...])))
    }
}
