internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

extension HubLibrary {
    /// Lets one account follow another, as often as one may.
    ///
    /// - Returns: the sentence for one who follows as many as one may; nil when it was done.
    /// - Throws: 429 as an ``AccountError``; ``LibraryError``.
    func follow(_ other: AccountID, by me: AccountID, under limits: RateLimits) async throws -> String? {
        try await limits.consumeFollow(by: me)
        guard try await mayFollowMore(me) else { return word("people.too-many", ["most": "\(Self.mostFollowed)"]) }
        try await follow(other, by: me)
        return nil
    }
}
