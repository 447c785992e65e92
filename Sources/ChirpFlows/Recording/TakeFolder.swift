internal import ChirpFiles
public import Foundation
internal import Glibc

/// The recordings that were made and not yet thrown away: one WAV each, and beside a published one a small file with its
/// link. The folder is the only record: a file that is there is a take, whatever became of the process that wrote it.
public struct TakeFolder: Sendable {
    public let path: String

    /// - Parameter path: made when the first take begins.
    public init(path: String) { self.path = path }

    /// A path for a new take, named by the time. Nothing is created but the folder.
    public func newPath(at now: Date, zone: TimeZone = .current) throws(TakeError) -> String {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw .inputOutput(path: path, reason: error.localizedDescription) }
        let base = Self.name(of: now, zone: zone)
        for count in 1...10_000 {
            let file = "\(path)/\(base)\(count == 1 ? "" : "-\(count)").wav"
            if access(file, F_OK) != 0 { return file }
        }
        throw .inputOutput(path: path, reason: "too many takes in one second")
    }

    /// All takes, oldest first.
    public func takes() throws(TakeError) -> [Take] {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            if access(path, F_OK) != 0, errno == ENOENT { return [] }
            throw .inputOutput(path: path, reason: error.localizedDescription)
        }
        return names.filter { $0.hasSuffix(".wav") && !$0.hasPrefix(".") }.sorted().compactMap(take(file:))
            .sorted { ($0.recorded, $0.id) < ($1.recorded, $1.id) }
    }

    /// The take with this name, or the only one whose name begins so; `last` is the newest.
    public func take(_ id: String) throws(TakeError) -> Take {
        let all = try takes()
        if id == "last", let newest = all.last { return newest }
        if let exact = all.first(where: { $0.id == id }) { return exact }
        let matches = all.filter { $0.id.hasPrefix(id) }
        guard let match = matches.first, !id.isEmpty else { throw .unknown(id) }
        guard matches.count == 1 else { throw .ambiguous(id, matches.map(\.id)) }
        return match
    }

    /// The take that was recorded to this path.
    public func take(at file: String) throws(TakeError) -> Take {
        guard let name = file.split(separator: "/").last, let take = take(file: String(name)) else {
            throw .inputOutput(path: file, reason: "it is no recording")
        }
        return take
    }

    /// Removes a take and what lies beside it.
    public func delete(_ take: Take) throws(TakeError) {
        guard unlink(take.path) == 0 || errno == ENOENT else {
            throw .inputOutput(path: take.path, reason: String(cString: strerror(errno)))
        }
        unlink(linkPath(take.path))
    }

    /// Notes that a take was published.
    public func publish(_ take: Take, link: String) throws(TakeError) {
        do throws(FileError) { try AtomicFile.write(Array((link + "\n").utf8), to: linkPath(take.path)) } catch {
            throw .inputOutput(path: error.path, reason: error.reason)
        }
    }

    private func take(file name: String) -> Take? {
        let file = "\(path)/\(name)"
        var info = stat()
        guard stat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG, let format = WavFacts(path: file) else {
            return nil
        }
        let link = (try? String(contentsOfFile: linkPath(file), encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return Take(
            id: String(name.dropLast(4)), path: file, seconds: format.seconds, bytes: Int64(info.st_size),
            recorded: Date(timeIntervalSince1970: TimeInterval(info.st_mtim.tv_sec) - format.seconds),
            link: link?.isEmpty == false ? link : nil)
    }

    private func linkPath(_ wav: String) -> String { String(wav.dropLast(4)) + ".link" }

    private static func name(of now: Date, zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: now)
        func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : "\(value ?? 0)" }
        return
            "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))-\(two(parts.hour))\(two(parts.minute))\(two(parts.second))"
    }
}

/// Length of a take as ``TakeWriter`` writes them: 58 bytes of header, then Float frames. The length is counted from the
/// file's size, so what a killed recording wrote after its last header is included.
private struct WavFacts {
    let seconds: Double

    init?(path: String) {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 58)
        guard fread(&bytes, 1, 58, file) == 58, bytes.starts(with: Array("RIFF".utf8)), bytes[20] == 3 else {
            return nil
        }
        func long(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        let frameBytes = Int(bytes[32]) | Int(bytes[33]) << 8
        guard frameBytes > 0, long(24) > 0, fseek(file, 0, SEEK_END) == 0 else { return nil }
        seconds = Double(max(0, ftell(file) - 58) / frameBytes) / Double(long(24))
    }
}

/// A recording on disk.
public struct Take: Hashable, Sendable {
    /// Its name in the folder without `.wav`, made from the time: `2026-11-21-140503`.
    public let id: String
    public let path: String
    public let seconds: Double
    public let bytes: Int64
    public let recorded: Date
    /// The link under which it was published; nil while it was not.
    public let link: String?
}
