package import ChirpAccounts
package import ChirpNumbers
package import FoundationEssentials

/// What somebody says about an item: words, a clip or both, or only the place of what was said.
package struct ItemComment: Hashable, Sendable, Identifiable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        case shown
        /// Reports or a decision keep it from everybody but its writer and moderators.
        case hidden
        /// There was one, or there is one that is not for this viewer: others have answered it, so its place is told and nothing else.
        case removed
    }

    /// Its place among all comments; later ones have greater numbers.
    package let sequence: Int64
    package let id: HubID
    /// The comment that it answers; nil: the item itself.
    package let above: HubID?
    /// Nil for a removed one.
    package let author: PostAuthor?
    /// Plain text in lines; empty where a clip says it all, and for a removed one.
    package let text: String
    package let clip: HubClip?
    package let state: State
    package let created: Date
    /// The first answers to it, oldest first; at most ``HubReader/mostAnswers``.
    package internal(set) var answers: [ItemComment] = []
    /// There are more answers than ``answers`` has.
    package internal(set) var hasMoreAnswers = false

    /// In characters.
    package static let longestText = 2000

    /// The same with other answers, as of a page of them.
    package func with(_ answers: [ItemComment]) -> ItemComment {
        var comment = self
        (comment.answers, comment.hasMoreAnswers) = (answers, false)
        return comment
    }
}

/// What is to be said about an item.
package struct CommentDraft: Hashable, Sendable {
    package var board: String
    package var item: HubID
    package var author: AccountID
    /// The same for every try to say the same about the item.
    package var key: String
    /// Empty where a clip says it all.
    package var text: String
    /// The author's own.
    package var clip: HubID?
    /// A comment on the same item. An answer to an answer stands beside it, below the comment that both belong to.
    package var answers: HubID?

    static let longestKey = 200

    package init(
        board: String, item: HubID, author: AccountID, key: String, text: String, clip: HubID? = nil,
        answers: HubID? = nil
    ) {
        self.board = board
        self.item = item
        self.author = author
        self.key = key
        self.text = text
        self.clip = clip
        self.answers = answers
    }
}

/// Which comments somebody asks for.
package struct CommentQuery: Hashable, Sendable {
    package enum Order: String, Hashable, Sendable, CaseIterable { case oldest, newest }

    package var board: String
    package var item: HubID
    /// The answers to this one; nil: those that answer none, each with its first answers.
    package var answersTo: HubID?
    package var order = Order.oldest
    /// Where the page before ended, as it said itself (``CommentPage/next``).
    package var after: PageCursor?
    /// At most 100.
    package var limit = 20

    package init(board: String, item: HubID) {
        self.board = board
        self.item = item
    }
}

/// Some of what was asked for.
package struct CommentPage: Hashable, Sendable {
    package let comments: [ItemComment]
    /// For ``CommentQuery/after``; nil at the end.
    package let next: PageCursor?
}

/// Why nothing was said or removed.
package enum CommentRefusal: Error, Hashable, Sendable {
    /// There is no such item or comment, or it is not for who asks.
    case notFound
    /// The account is suspended, closed or not confirmed.
    case notActive
    /// Comments are on open and settled items.
    case ended(Item.State)
    /// Neither words nor a clip.
    case empty
    case tooLong(most: Int)
    /// A clip that is not the writer's.
    case notYours
    case library(LibraryError)
}
