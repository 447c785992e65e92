internal import ChirpCore
package import ChirpHTTP

/// Gives a hub's letters to a mail server.
package struct MailPost: LetterPost {
    private let transport: SMTPTransport

    package init(_ server: MailServer) { transport = SMTPTransport(server) }

    package var isAtHand: Bool { false }

    package func send(_ message: LetterMessage) async throws(PostFailure) {
        do throws(MailError) {
            try await transport.send(from: message.from, to: message.to, message.bytes)
        } catch {
            throw Self.failure(error)
        }
    }

    /// What a failure means for the letters. Only what says that there is no such mailbox ends one: the server may refuse for
    /// other reasons, which whoever runs it can mend.
    static func failure(_ error: MailError) -> PostFailure {
        switch error {
        case .cancelled: .cancelled
        case .badAddress: .refused(error.whatHappened)
        case .refused(_, 550), .refused(_, 551), .refused(_, 553): .refused(error.whatHappened)
        // 421: the server closes. What else it says is about this letter, as that it is tried too early (greylisting).
        case .refused: .letterLater(error.whatHappened)
        case .notNow(_, let code) where code != 421: .letterLater(error.whatHappened)
        case .badServer, .insecure, .libraryMissing, .unresolved, .unreachable, .untrusted, .signedOut, .notNow,
            .interrupted:
            .later(error.whatHappened)
        }
    }
}
