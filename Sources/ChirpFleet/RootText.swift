/// A root as it is written: `NAME=PLACE`; a place alone is called `shared`.
struct RootText {
    let name: String
    /// A path, or the address of a WebDAV collection.
    let place: String

    /// - Throws: `badRoot`.
    init(_ text: String) throws(FleetError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let isNamed = parts.count == 2 && !parts[0].contains("/")
        name = isNamed ? String(parts[0]) : "shared"
        place = isNamed ? String(parts[1]) : text
        guard Self.isName(name) else {
            throw .badRoot(shown, reason: "its name is not of lower-case letters and digits, 1 to 32 of them")
        }
    }

    var isAddress: Bool { ["http://", "https://"].contains { place.lowercased().hasPrefix($0) } }

    /// For messages: a password has no place in an address, but somebody may have put one there.
    var shown: String { isAddress && place.contains("@") ? "\(name)=..." : "\(name)=\(place)" }

    static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }
}
