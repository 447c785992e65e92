import ChirpAccounts
import ChirpCommunity
import HubHousehold

/// What opens an account, times what happens to it, as `Docs/credentials.md`; and what the schema has beside.
enum CredentialTable {
    /// The forms that make a credential.
    static let confirmedForms = [
        "/oauth/authorize", "/settings/account/authenticator", "/settings/account/identities/link",
        "/settings/account/passkeys",
        "/settings/frames", "/settings/privacy/feed",
    ]
    /// The same for programs.
    static let confirmedCalls = [
        "/api/hub/v1/account/passkeys/challenge", "/api/hub/v1/frames", "/api/hub/v1/frames/link", "/api/hub/v1/push",
    ]

    static var markdown: String {
        let events = AccountEvent.allCases
        let head = """
            # What opens an account, and what ends it

            Every kind of thing that opens an account, or a part of it, to whoever has it, times what happens to the account.
            `Scripts/update-rights-table` writes this file from the table in the code (`AccountCredential`), and `CredentialTests`
            makes, does and tries each cell over HTTP. *Ends* in the column *unconfirmed* means: it cannot be made while the mail
            address is unconfirmed, a session aside, and what there is ends when it is confirmed.

            | what opens it | where it is kept | \(events.map(name).joined(separator: " | ")) |
            |---|---|\(String(repeating: "---|", count: events.count))

            """
        let rows = AccountCredential.allCases.map { credential in
            let places = HubLibrary.credentialRows.filter { $0.credential == credential }.map { "`\($0.table)`" }
            let fates = events.map { credential.fate(at: $0) == .ends ? "ends" : "" }
            return "| \(name(credential)) | \(places.joined(separator: ", ")) | \(fates.joined(separator: " | ")) |"
        }
        return head + rows.joined(separator: "\n") + "\n" + reasons
    }

    private static let reasons = """

        Why some of them live:

        - The *authenticator* outlives a reset: otherwise whoever reads the mailbox alone would be in. A recovery code opens the account
          when the telephone is lost. Who has neither asks the owner of the hub, who can remove it from the table.
        - *Passkeys* and *services that sign in* end with a reset and not with "Sign out everywhere": they are ways to sign in, as the password is, and a
          reset is for somebody who does not know who else has them. Each link is told by a letter.
        - The *letter that confirms the address* leads only to the mailbox that the account has, so a new password does not end it.
        - Whoever is *suspended* reads, exports and appeals, so everything lives.
        - A *session* can begin while the address is unconfirmed and ends when it is confirmed: it may be that of a stranger who has signed up
          with it. The browser that signed up has another then.
        - A *new role* ends what acts with the rights of the role: sessions and tokens. Frames and feeds read as before.
        - A frame that a *program* made the account's ends with the program's token, and the link of a frame with the session or token that asked for it.
        - What a frame has of another network ends with the frame: its tokens there are forgotten here. The other network lists the
          program until its person ends it there.
        - What ends, ends for requests on their way too: who asks is asked again when the last byte of a body has come, and what was confirmed with the
          password counts in the transaction of the act only if the account has had nobody put out since (`Identified`, `AccountProof`).

        """

    private static func name(_ event: AccountEvent) -> String {
        switch event {
        case .reset: "reset"
        case .newPassword: "new password"
        case .newAddress: "new address"
        case .signOutEverywhere: "sign out everywhere"
        case .newRole: "new role"
        case .suspension: "suspension"
        case .closing: "closing"
        case .unconfirmed: "unconfirmed"
        case .erased: "erased"
        }
    }

    private static func name(_ credential: AccountCredential) -> String {
        switch credential {
        case .password: "password"
        case .secondFactor: "authenticator with its recovery codes"
        case .session: "session of a browser"
        case .token: "token of a program"
        case .code: "code for which a program gets its token"
        case .ownerLink: "link of the command line that signs the owner in"
        case .resetLink: "letter that sets a password"
        case .confirmLink: "letter that confirms the address"
        case .appealLink: "link that appeals against a closing"
        case .pendingAddress: "change of address that waits"
        case .passkey: "passkey"
        case .passkeyChallenge: "what a browser was asked to sign, to add a passkey"
        case .identity: "service elsewhere that signs in"
        case .identityAttempt: "browser on its way to a service, to link it"
        case .identityArrival: "browser back from a service, without its code"
        case .frame: "frame"
        case .frameKey: "link that begins a frame"
        case .feedAddress: "secret address of the feed"
        case .pushSubscription: "browser that is told of notices"
        case .knownBrowser: "browser that signed in before"
        }
    }
}
