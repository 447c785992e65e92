internal import ChirpCommunity

/// A master of a work, as it can be delivered.
struct SaleMaster: Sendable {
    let item: HubID
    let version: String
    /// What was sent.
    let film: HubID
    let path: String
    let kind: LicenceTerms.File
    /// Those that were found to make up the mix; none otherwise.
    let stems: [Stem]
    /// Whether its stems are still compared with it.
    let isComparing: Bool

    struct Stem: Sendable {
        let name: String
        let path: String
        let kind: LicenceTerms.File
    }

    /// Nil for what cannot be delivered. Blocks.
    init?(item: HubID, version: String, film: HubID, stems: TrackStems?, in library: HubLibrary) {
        let path = library.master(film)
        guard let kind = Self.kind(of: path) else { return nil }
        (self.item, self.version, self.film, self.path, self.kind) = (item, version, film, path, kind)
        isComparing = stems?.check == .waiting
        guard let stems, stems.areProven else {
            self.stems = []
            return
        }
        let parts = stems.stems.map { stem -> Stem? in
            let path = library.master(stem.film)
            return Self.kind(of: path).map { Stem(name: stem.name, path: path, kind: $0) }
        }
        self.stems = parts.contains { $0 == nil } ? [] : parts.compactMap(\.self)
    }

    /// What kind of file it is: by its first bytes (RIFF and RF64 of WAVE; MPEG audio, perhaps behind ID3). Blocks.
    static func kind(of path: String) -> LicenceTerms.File? {
        guard let head = MediaFile(path)?.read(at: 0, count: 12), head.count >= 3 else { return nil }
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
