package import ChirpCommunity

/// Makes pictures of what people send, where what is read can do no harm: the hub itself decodes nothing.
public struct PictureIntake: Sendable {
    /// The most that a picture of a person may have, in bytes.
    static let mostBytes = 8_000_000

    /// Why there is no picture; a sentence without its full stop.
    public struct Refusal: Error, Hashable {
        public let reason: String
        public init(_ reason: String) { self.reason = reason }
    }

    /// Makes a JPEG without metadata, of any bytes.
    public typealias Making = @Sendable (_ bytes: [UInt8]) async throws(Refusal) -> [UInt8]

    /// The most that a picture of a thing may have, in bytes.
    static let mostItemBytes = 20_000_000

    /// Makes the pictures of a thing, of any bytes.
    package typealias MakingForItem = @Sendable (_ bytes: [UInt8]) async throws(Refusal) -> NewPicture

    let make: Making
    let makeForItem: MakingForItem?
    let makeForScreen: Making?

    /// - Parameters:
    ///   - make: the picture of a person: small and square.
    ///   - screen: a photo that fills a screen; nil: none is taken.
    public init(_ make: @escaping Making, screen: Making? = nil) {
        self.make = make
        makeForScreen = screen
        makeForItem = nil
    }

    /// - Parameters:
    ///   - make: the picture of a person: small and square.
    ///   - screen: a photo that fills a screen; nil: none is taken.
    ///   - item: the pictures of a thing that is listed.
    package init(_ make: @escaping Making, screen: Making? = nil, item: @escaping MakingForItem) {
        self.make = make
        makeForScreen = screen
        makeForItem = item
    }
}
