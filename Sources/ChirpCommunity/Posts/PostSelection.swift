package import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

/// Which of the posts that a viewer sees belong into a list.
package enum PostSelection: Hashable, Sendable {
    /// Everybody's public ones.
    case local
    /// One person's public ones, as feeds have them.
    case published(AccountID)
    /// One person's, all but those to somebody.
    case by(AccountID)
    /// Those of some people, as a network's follower hears them; with `watched` those too that tell of an item that the viewer watches.
    case byAny([AccountID], watched: Bool = false)
    /// Those of the people whom the viewer follows, what boards tell of items that she watches, and her own.
    case home
    /// Public ones with a hashtag, without `#`.
    case tagged(String)
    /// Those that the viewer has marked.
    case marked(PostMark)
    /// Those to somebody in which the viewer takes part.
    case direct
    /// Answers to one.
    case replies(to: Int64)
}

/// What a person may put to a post, once each.
package enum PostMark: String, Hashable, Sendable, CaseIterable { case favourite, bookmark }

extension HubReader {
    /// A condition on `posts` for a selection, and its arguments; nil when nothing can be in it.
    func condition(_ selection: PostSelection) -> (sql: String, arguments: StatementArguments)? {
        switch selection {
        case .local: return ("posts.visibility = 'public'", [])
        case .published(let account): return ("posts.account = ? AND posts.visibility = 'public'", [account])
        case .by(let account): return ("posts.account = ? AND posts.visibility <> 'direct'", [account])
        case .byAny(let accounts, let watched):
            let watcher = watched ? account : nil
            guard !accounts.isEmpty || watcher != nil, let list = try? accounts.statementList() else { return nil }
            let isBySome = "posts.account IN (SELECT value FROM json_each(?))"
            guard let watcher else { return ("\(isBySome) AND posts.visibility <> 'direct'", [list]) }
            return (
                """
                (\(isBySome) OR posts.sequence IN (\(ItemMedia.posts(watchedBy: "?"))))
                AND posts.visibility <> 'direct'
                """, [list, watcher]
            )
        case .home:
            return account.map { account in
                (
                    """
                    (posts.account = ? OR EXISTS (SELECT 1 FROM follows WHERE follower = ? AND followed = posts.account)
                        OR ? IN (\(ItemMedia.watchers(of: "posts.sequence"))))
                    AND posts.visibility <> 'direct'
                    """, [account, account, account]
                )
            }
        case .tagged(let tag):
            return (
                """
                posts.visibility = 'public' AND posts.sequence IN (SELECT post FROM postTags WHERE tag = ?)
                """, [tag.lowercased()]
            )
        case .marked(let mark):
            return account.map { account in
                (
                    """
                    posts.sequence IN (SELECT marks.post FROM marks WHERE marks.account = ? AND marks.kind = ?)
                    """, [account, mark.rawValue]
                )
            }
        case .direct:
            return account.map { account in
                (
                    """
                    posts.visibility = 'direct' AND (posts.account = ? OR posts.sequence IN
                        (SELECT recipients.post FROM recipients WHERE recipients.account = ?))
                    """, [account, account]
                )
            }
        case .replies(let post): return ("posts.replyTo = ?", [post])
        }
    }
}
