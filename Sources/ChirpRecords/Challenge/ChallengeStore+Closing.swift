package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import GRDB

extension ChallengeStore {
    /// How a challenge has ended that takes no more attempts, as its item says it.
    package static let closed = "closed"

    /// Ends one: it takes no more attempts, and stays readable with its history. Its setter does so as long as nobody else has tried it, or
    /// the last one to hold a record would be for ever; moderators do at any time, but not with their own.
    ///
    /// - Throws: ``ChallengeRefusal/attempted``.
    package func close(_ id: HubID, by account: AccountID) async throws(ChallengeRefusal) {
        try await change { [library] database in
            let (challenge, isOwn) = try managed(id, account, in: database)
            if isOwn, try Rule.attempts(at: challenge.id, butOf: account, in: database) > 0 {
                throw ChallengeRefusal.attempted
            }
            try Items.move(
                id, from: [.open], to: .settled, outcome: Self.closed, by: isOwn ? account : nil, library: library,
                in: database)
        }
    }
}
