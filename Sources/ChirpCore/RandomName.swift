/// A name nobody else has chosen: for rows, objects and temporary files.
///
/// Letters and digits that survive being read aloud or typed (Crockford's base 32 in lower case, without i, l, o and u),
/// five random bits each: 12 characters hold 60 bits, 20 hold 100.
public struct RandomName: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// - Parameter length: characters, 1 or more.
    public init(length: Int) {
        var generator = SystemRandomNumberGenerator()
        self.init(length: length, using: &generator)
    }

    /// As above with the caller's source of randomness, for tests.
    public init(length: Int, using generator: inout some RandomNumberGenerator) {
        precondition(length >= 1)
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        description = String((0..<length).map { _ in alphabet[Int.random(in: 0..<32, using: &generator)] })
    }
}
