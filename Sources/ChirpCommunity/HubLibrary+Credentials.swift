package import ChirpAccounts
internal import GRDB

extension HubLibrary {
    /// Where all that opens accounts is kept: the tables of accounts, and those of the library.
    package static let credentialRows =
        Accounts.credentialRows + frameCredentials
        // It goes with its session, and is named here so that it has its row.
        + [CredentialRows(.pushSubscription, in: "pushSubscriptions")]

    /// Frames, and what leads to one.
    private static let frameCredentials = [
        CredentialRows(.frame, table: "frames") { account, event, database in
            let why: FrameEnd = event == .closing || event == .erased ? .account : .ended
            try database.cachedStatement(
                sql: """
                    INSERT INTO frameEnds (digest, why, at)
                    SELECT digest, ?, unixepoch() * 1000 FROM frames WHERE account = ? ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [why.rawValue, account])
            try database.cachedStatement(sql: "DELETE FROM frames WHERE account = ?").execute(arguments: [account])
        },
        CredentialRows(.frameKey, in: "frameKeys"),
    ]
}
