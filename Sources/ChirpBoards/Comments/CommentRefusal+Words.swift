internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

extension CommentRefusal {
    /// For people and programs alike, in the visitor's language.
    var thrown: any Error {
        switch self {
        case .notFound: Problem.noComment
        case .notActive: Problem(.forbidden, "not-active", word("comment.inactive"))
        case .ended: Problem(.conflict, "changed-meanwhile", word("comment.ended"))
        case .empty: Problem.commentNotTaken(["text": word("comment.empty")])
        case .tooLong(let most): Problem.commentNotTaken(["text": word("comment.long", ["most": "\(most)"])])
        case .notYours: Problem.commentNotTaken(["clip": word("comment.not-yours")])
        case .library(let error): error
        }
    }
}

extension Problem {
    static var noComment: Problem { Problem(.notFound, "not-found", word("comment.not-found")) }

    /// What was sent does not do, by field.
    static func commentNotTaken(_ fields: [String: String]) -> Problem {
        Problem(.unprocessableContent, "invalid", word("comment.invalid"), fields: fields)
    }
}
