/// What takes a hub's letters away: a folder or a mail server.
package protocol LetterPost: Sendable {
    /// Whether a letter is there so soon that the answer to a request can wait for it.
    var isAtHand: Bool { get }

    /// Takes a letter. It may have been taken before, when the hub was killed at that moment.
    func send(_ message: LetterMessage) async throws(PostFailure)
}

/// Why a letter was not taken. The reason names no address.
package enum PostFailure: Error, Hashable {
    /// Another time: the post does not work at the moment.
    case later(String)
    /// This letter at another time.
    case letterLater(String)
    /// Never: the one to whom it goes is refused.
    case refused(String)
    case cancelled
}
