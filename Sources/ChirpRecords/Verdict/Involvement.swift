package import ChirpAccounts

/// Who has to do with an attempt, and so decides nothing about it (OU-20). A pure value: what it needs of the library is asked before.
package struct Involvement: Hashable, Sendable {
    /// Why somebody is involved.
    package enum Tie: String, Hashable, Sendable, CaseIterable {
        /// The attempt is her own.
        case author
        /// The challenge is.
        case setter
        /// A record is hers, or was, that would change by the decision.
        case holder
        /// An attempt of hers that waits would take a record from its author, or lose one to it.
        case rival
        /// She has a stake in it.
        case stake
        /// She has rejected it before, and another moderator can look at the appeal.
        case decided
    }

    package var author: AccountID
    /// Nil: whose account is gone.
    package var setter: AccountID?
    /// Whose days or records would change.
    package var holders: Set<AccountID> = []
    /// Whose attempts that wait would, if they were verified.
    package var rivals: Set<AccountID> = []
    package var stakes: Set<AccountID> = []
    /// By account, of these and of who wants to decide (``MailAddress/mailbox``); who has none is not there.
    package var mailboxes: [AccountID: String] = [:]

    package init(author: AccountID, setter: AccountID?) {
        self.author = author
        self.setter = setter
    }

    /// All but for one's second accounts.
    package var people: Set<AccountID> {
        holders.union(rivals).union(stakes).union([author, setter].compactMap { $0 })
    }

    /// What ties somebody to the attempt, herself or by another account with the same confirmed address; nil: nothing that is known.
    package func tie(of account: AccountID) -> Tie? {
        if isOne(account, of: [author]) { return .author }
        if let setter, isOne(account, of: [setter]) { return .setter }
        if isOne(account, of: holders) { return .holder }
        if isOne(account, of: rivals) { return .rival }
        if isOne(account, of: stakes) { return .stake }
        return nil
    }

    private func isOne(_ account: AccountID, of people: Set<AccountID>) -> Bool {
        if people.contains(account) { return true }
        guard let mailbox = mailboxes[account] else { return false }
        return people.contains { mailboxes[$0] == mailbox }
    }
}
