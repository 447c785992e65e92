/// Makes the pictures of people of what they send, where what is read can do no harm: the hub itself decodes nothing.
public struct PictureIntake: Sendable {
    /// The most that a picture may have, in bytes.
    static let mostBytes = 8_000_000

    /// Why there is no picture; a sentence without its full stop.
    public struct Refusal: Error, Hashable {
        public let reason: String
        public init(_ reason: String) { self.reason = reason }
    }

    let make: @Sendable (_ bytes: [UInt8]) async throws(Refusal) -> [UInt8]

    /// - Parameter make: a JPEG without metadata, of any bytes.
    public init(_ make: @escaping @Sendable (_ bytes: [UInt8]) async throws(Refusal) -> [UInt8]) { self.make = make }
}
