internal import ChirpCore

/// Somebody whom the account follows.
package struct Friend: Hashable, Sendable {
    package let account: Account
    /// Where her picture lies in the largest size.
    package let picture: String?
}

/// A network as a screen reads it that shows one person: text posts and messages too.
package protocol PersonNetwork: Sendable {
    /// A page of those whom the account follows, in the network's order.
    ///
    /// - Parameter page: what the page before led on to; nil: from the beginning.
    func friends(page: String?) async throws(NetworkError) -> (friends: [Friend], next: String?)

    /// What somebody has posted behind a place, oldest first; without a place the newest.
    func posts(of person: Account.ID, after cursor: String?) async throws(NetworkError) -> (
        posts: [Post], next: String?
    )

    /// What somebody has written to the account alone, behind a place, oldest first.
    func messages(from person: Account.ID, after cursor: String?) async throws(NetworkError) -> (
        posts: [Post], next: String?
    )
}
