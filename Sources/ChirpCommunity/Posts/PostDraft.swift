package import ChirpAccounts

/// What is to be posted.
package struct PostDraft: Hashable, Sendable {
    package var author: AccountID
    package var text: String
    /// What the text is about; empty when it is about nothing.
    package var link = ""
    /// The author's clip that it is about; nil: the one that the link leads to, if it is kept here.
    package var clip: HubID?
    /// The same for every try to post the same.
    package var key: String
    package var visibility = HubPost.Visibility.published
    package var replyTo: Int64?
    package var spoiler = ""
    package var language: String?
    /// To whom it is; nil: those whom its text names.
    package var people: [AccountID]?
    /// It waits for a moderator's look.
    package var isHeld = false

    /// The most people that one post tells.
    static let mostMentions = 20

    package init(author: AccountID, text: String, link: String = "", key: String) {
        self.author = author
        self.text = text
        self.link = link
        self.key = key
    }
}
