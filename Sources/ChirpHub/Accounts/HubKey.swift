internal import ChirpAccounts
internal import ChirpFiles
internal import FoundationEssentials

/// A hub's own secret of 32 bytes, in a file that only its owner reads: what forms carry is signed with it.
enum HubKey {
    static let length = 32

    /// Reads it, and makes it when there is none. Blocks. Of two processes that make it at once one wins, and both use that one.
    static func read(_ path: String) throws(AccountError) -> [UInt8] {
        if let key = found(path) { return key }
        var generator = SystemRandomNumberGenerator()
        let key = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        do throws(FileError) {
            let file = try AtomicFile.create(at: path, mode: 0o600)
            try file.write(key)
            try file.commit(replacing: false)
        } catch {
            if let other = found(path) { return other }
            throw error.isFull ? .noSpace : .inputOutput(reason: error.description)
        }
        return key
    }

    private static func found(_ path: String) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: path), data.count == length else { return nil }
        return Array(data)
    }
}
