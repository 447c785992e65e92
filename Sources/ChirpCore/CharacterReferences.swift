/// Character references of HTML and WebVTT (`&amp;`, `&#38;`) in text from outside.
package enum CharacterReferences {
    /// The longest name between `&` and `;`, in bytes.
    private static let longest = 10

    /// The text with each reference as what it stands for, in one pass; what it makes is not looked at again.
    ///
    /// - Parameter meaning: of a name, without its marks; nil leaves the reference as it is.
    package static func resolve(_ text: String, _ meaning: (String) -> String?) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        let bytes = Array(text.utf8)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "&") {
                let rest = bytes[(index + 1)...].prefix(longest + 1)
                if let end = rest.firstIndex(of: UInt8(ascii: ";")),
                    let found = meaning(String(decoding: rest[..<end], as: UTF8.self))
                {
                    out += found.utf8
                    index = end + 1
                    continue
                }
            }
            out.append(bytes[index])
            index += 1
        }
        return String(decoding: out, as: UTF8.self)
    }
}
