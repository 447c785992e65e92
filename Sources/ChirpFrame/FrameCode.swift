/// The code by which somebody takes care of a frame that has no keyboard: eight characters, none of which looks like another.
struct FrameCode: Hashable, Sendable {
    /// Without a hyphen.
    let text: String

    /// 31 of them: a code is one of 850 thousand million, works for ten minutes, and few may be tried.
    private static let characters = Array("ABCDEFGHJKMNPQRSTUVWXYZ23456789")
    private static let length = 8

    /// A new one, from the system's source of randomness.
    init() {
        var generator = SystemRandomNumberGenerator()
        text = String(
            (0..<Self.length).compactMap { _ in Self.characters.randomElement(using: &generator) })
    }

    /// What somebody has typed, in any case, with hyphens or spaces wherever; nil when it cannot be one.
    init?(typed: String) {
        let plain = typed.prefix(40).uppercased().filter { $0 != "-" && !$0.isWhitespace }
        guard plain.count == Self.length, plain.allSatisfy(Self.characters.contains) else { return nil }
        text = plain
    }

    /// As screens show it: `ABCD-EFGH`.
    var shown: String { "\(text.prefix(4))-\(text.suffix(4))" }
}
