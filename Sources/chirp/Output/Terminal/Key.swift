/// A key of the keyboard as a terminal sends it.
enum Key: Hashable, Sendable {
    /// What it types, lower or upper case; also space.
    case character(Character)
    case enter
    case escape
    case backspace
    case tab
    case up
    case down
    case left
    case right
    case pageUp
    case pageDown
    case home
    case end

    /// The keys that one read from a terminal brought.
    ///
    /// A sequence that means none of them (function keys, mouse, an answer of the terminal) is left out. Terminals send a
    /// sequence in one piece, so an escape that comes alone is the key.
    static func keys(in bytes: some Sequence<UInt8>) -> [Key] {
        var rest = String(decoding: Array(bytes), as: UTF8.self).unicodeScalars[...]
        var keys: [Key] = []
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1B}":
                guard let next = rest.first, next == "[" || next == "O" else {
                    keys.append(.escape)
                    continue
                }
                rest.removeFirst()
                // ECMA-48, section 5.4: parameters, then one final byte.
                let parameters = rest.prefix { (0x20...0x3F).contains($0.value) }
                rest = rest.dropFirst(parameters.count)
                if let final = rest.popFirst(), let key = key(parameters: String(parameters), final: final) {
                    keys.append(key)
                }
            case "\r", "\n": keys.append(.enter)
            case "\t": keys.append(.tab)
            case "\u{7F}", "\u{08}": keys.append(.backspace)
            case _ where scalar.value >= 0x20: keys.append(.character(Character(scalar)))
            default: break
            }
        }
        return keys
    }

    private static func key(parameters: String, final: Unicode.Scalar) -> Key? {
        switch (final, parameters) {
        case ("A", _): .up
        case ("B", _): .down
        case ("C", _): .right
        case ("D", _): .left
        case ("H", _), ("~", "1"), ("~", "7"): .home
        case ("F", _), ("~", "4"), ("~", "8"): .end
        case ("~", "5"): .pageUp
        case ("~", "6"): .pageDown
        default: nil
        }
    }
}
