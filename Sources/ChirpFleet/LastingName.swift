internal import ChirpCore
internal import ChirpFiles
internal import FoundationEssentials

/// A name that nobody else has, made up once and kept in a file: by it servers of NATS know whose something is, for good.
enum LastingName {
    /// - Parameter path: the file; its folder exists. Of several processes that make it at once all get the same name.
    /// - Throws: `noScratch`.
    static func read(_ path: String) throws(FleetError) -> String {
        func found() -> String? {
            guard let data = FileManager.default.contents(atPath: path) else { return nil }
            let text = String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
            return QueueNames.isToken(text) ? text : nil
        }
        if let name = found() { return name }
        let name = "hub\(RandomName(length: 20))"
        do throws(FileError) {
            let file = try AtomicFile.create(at: path, mode: 0o600)
            try file.write(Array("\(name)\n".utf8))
            try file.commit(replacing: false)
        } catch {
            guard let other = found() else { throw .noScratch(path: path, reason: error.reason) }
            return other
        }
        return name
    }
}
