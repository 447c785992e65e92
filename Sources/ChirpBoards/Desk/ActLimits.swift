package import ChirpAccounts
package import ChirpCommunity

/// How often one account changes how it stands to people and things: each such change is a row that others' pages count.
extension RateLimits {
    /// - Throws: ``AccountError/tooOften(seconds:)``.
    package func consumeFollow(by account: AccountID) async throws(AccountError) {
        try await consume("follow", RateRule(300, per: 3600), by: .account(account))
    }

    /// One that is put to a post or an item, and a block: what one keeps, likes or does not want to see.
    ///
    /// - Throws: ``AccountError/tooOften(seconds:)``.
    package func consumeMark(by account: AccountID) async throws(AccountError) {
        try await consume("mark", RateRule(600, per: 3600), by: .account(account))
    }
}

extension BoardDesk {
    /// Puts a mark to an item, as often as one may, or takes it away.
    ///
    /// - Throws: ``AccountError``, ``ItemRefusal``.
    package func mark(_ item: HubID, _ mark: ItemMark, isOn: Bool, by account: AccountID) async throws {
        if isOn { try await limits.consumeMark(by: account) }
        try await library.mark(item, mark, isOn: isOn, by: account)
    }
}
