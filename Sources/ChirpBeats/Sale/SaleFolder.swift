internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import Glibc

/// The folder with what was sold, each file by what it holds. It is the same file as the track's, which may go while a licence lasts.
struct SaleFolder: Sendable {
    let path: String

    /// Where the file of that hash lies; nil for what is no hash, so that no stranger's path is opened.
    func file(_ sha256: String) -> String? { GrantStatement.isDigest(sha256) ? "\(path)/\(sha256)" : nil }

    /// Keeps a file for as long as what was sold of it lasts. May be repeated. Blocks.
    func keep(_ file: String) throws -> FileDigest {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(path: path) }
        let digest = try FileDigest.reading(file)
        let goal = "\(path)/\(digest.sha256)"
        guard link(file, goal) == 0 || errno == EEXIST else { throw FileError(path: goal) }
        try AtomicFile.flush(folder: path)
        return digest
    }

    static func remove(_ path: String) { unlink(path) }

    /// What kind of file a master is: by its first bytes (RIFF and RF64 of WAVE; MPEG audio, perhaps behind ID3). Blocks.
    static func kind(of master: String) -> LicenceTerms.File? {
        guard let head = MediaFile(master)?.read(at: 0, count: 12), head.count >= 3 else { return nil }
        let bytes = Array(head)
        if bytes.count == 12, [Array("RIFF".utf8), Array("RF64".utf8)].contains(Array(bytes[..<4])),
            Array(bytes[8...]) == Array("WAVE".utf8)
        {
            return .wav
        }
        if Array(bytes[..<3]) == Array("ID3".utf8) { return .mp3 }
        return bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 ? .mp3 : nil
    }

    /// What a file is called that is delivered: letters, digits and hyphens, so that it is one name everywhere.
    static func name(_ title: String, _ version: String, number: Int, _ kind: LicenceTerms.File) -> String {
        let words = "\(title) \(version)".split { !$0.isLetter && !$0.isNumber }.joined(separator: "-").prefix(80)
        return "\(words.isEmpty ? "track" : "\(words)")\(number == 0 ? "" : "-\(number + 1)").\(kind.rawValue)"
    }
}

/// A master of a work, as it can be delivered.
struct SaleMaster: Sendable {
    let item: HubID
    let version: String
    let path: String
    let kind: LicenceTerms.File
}
