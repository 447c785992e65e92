package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// Who looks at a library.
package enum Viewer: Hashable, Sendable {
    /// Anybody who reaches the hub: sees what is public, and what is shared by its link.
    case visitor
    /// Somebody with an account: sees also what is hers, what those she follows tell their followers, and what is for her.
    case member(AccountID)
    /// Whose library it is, on this machine: sees also what is not shared yet.
    case owner
}

/// A library as one viewer sees it: the only way to what pages, feeds and streams show.
///
/// What the viewer may not see is left out by SQL, never after fetching: so a page is full when it says so, places in the feed
/// hold, and what is hidden cannot be told from what never was. Nothing is kept between two questions.
package struct HubReader: Sendable {
    let library: HubLibrary
    package let viewer: Viewer

    /// The instant by the library's clock.
    package var now: Date { library.now() }

    /// Whose eyes they are; nil for a visitor.
    package var account: AccountID? {
        switch viewer {
        case .visitor: nil
        case .member(let account): account
        case .owner: library.owner.id
        }
    }

    /// A condition on `clips` for what this viewer sees of them, and its arguments.
    var visibleClips: (sql: String, arguments: StatementArguments) {
        let lasts = "(clips.expires IS NULL OR clips.expires > ?)"
        let arguments: StatementArguments = [HubLibrary.milliseconds(now)]
        return switch viewer {
        case .visitor: ("clips.shared = 1 AND \(lasts)", arguments)
        case .member(let account): ("(clips.shared = 1 OR clips.owner = ?) AND \(lasts)", [account] + arguments)
        case .owner: (lasts, arguments)
        }
    }

    /// A condition on `posts` with their `clips` and `accounts` for what this viewer sees of them, and its arguments: decision 0701.
    var visiblePosts: (sql: String, arguments: StatementArguments) {
        let clips = visibleClips
        let clip = "(posts.clip IS NULL OR \(clips.sql))"
        guard let account else {
            return (
                """
                posts.state = 'shown' AND posts.visibility IN ('public', 'unlisted')
                AND accounts.state <> 'closed' AND \(clip)
                """, clips.arguments
            )
        }
        return (
            """
            (posts.account = ? OR posts.state = 'shown' AND accounts.state <> 'closed' AND (
                posts.visibility IN ('public', 'unlisted')
                OR posts.visibility = 'followers'
                    AND EXISTS (SELECT 1 FROM follows WHERE follower = ? AND followed = posts.account)
                OR EXISTS (SELECT 1 FROM recipients WHERE recipients.post = posts.sequence AND recipients.account = ?))
            AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = ? AND blocked = posts.account)
            AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = posts.account AND blocked = ?))
            AND \(clip)
            """, [account, account, account, account, account] + clips.arguments
        )
    }
}

extension HubLibrary {
    /// The library as somebody sees it.
    package func seen(by viewer: Viewer) -> HubReader { HubReader(library: self, viewer: viewer) }
}
