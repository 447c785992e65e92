internal import FoundationEssentials

/// What a frame knows of another network: its sign-in, and whom it shows. It is kept closed (``FrameSeal``) and is in no answer.
struct FrameRemote: Codable, Hashable, Sendable {
    struct Person: Codable, Hashable, Sendable {
        var id: String
        var handle: String
        var name: String
        /// Where the largest picture of her lies.
        var picture: String?

        var document: FrameDocument.Person { FrameDocument.Person(id: id, handle: handle, name: name) }
    }

    /// What somebody has said there.
    struct Said: Codable, Hashable, Sendable {
        var text: String
        var handle: String
        var name: String
        /// Where sound that came with it lies.
        var audio: String?
    }

    /// The key of ``FrameX``, whose server is known, and whose tokens change.
    static let x = "x"

    /// Where it is signed in, as in `https://mastodon.example`.
    var server: String
    /// What the server knows this hub as.
    var client: String
    var clientSecret: String
    var token: String
    /// Whose sign-in it is there.
    var account: String
    /// As people there write it, without `@`.
    var handle: String
    var vip: Person?
    /// At X messages may be left out of what is allowed; nil: they are in it.
    var readsMessages: Bool?
    /// A sign-in of its own, with the right to write; nil until answering was allowed there.
    var writing: String?
    /// What the server knows this hub as for that.
    var writingClient: String?
    var writingSecret: String?
}
