internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import FoundationEssentials

/// What opens `/metrics`: a line of 64 letters and digits in a file that only the hub's user reads. The program that watches the hub
/// is told the file's path (`credentials_file`).
enum MetricsToken {
    /// Reads it, and makes it when there is none. Blocks.
    static func read(_ path: String) throws(LibraryError) -> String {
        if let token = found(path) { return token }
        var generator = SystemRandomNumberGenerator()
        let token = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
        do throws(FileError) {
            let file = try AtomicFile.create(at: path, mode: 0o600)
            try file.write(Array("\(token)\n".utf8))
            try file.commit(replacing: false)
        } catch {
            if let other = found(path) { return other }
            throw .inputOutput(path: path, reason: error.description)
        }
        return token
    }

    private static func found(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= 200 else { return nil }
        let token = String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
        return token.utf8.count == 64 ? token : nil
    }
}
