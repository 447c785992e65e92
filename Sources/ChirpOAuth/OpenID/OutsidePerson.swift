internal import ChirpCore

/// What a service elsewhere says of somebody who has signed in there.
public struct OutsidePerson: Hashable, Sendable {
    /// The service's own lasting name for her, never given to anybody else; of a Mastodon account with its server.
    public let subject: String
    /// As she recognises it in a list; plain text, perhaps empty.
    public let shown: String
    /// What she is called there: a proposal for a user name, which nobody has checked.
    public let handle: String
    /// A mail address, only where the service says that it was verified.
    public let mail: String?

    init(subject: String, shown: String, handle: String, mail: String?) {
        self.subject = subject
        self.shown = PlainText(shown, limit: 100).value
        self.handle = PlainText(handle, limit: 60).value
        self.mail = mail
    }
}
