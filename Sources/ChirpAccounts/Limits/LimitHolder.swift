package import ChirpCore

/// Who is counted by a limit. Made of a type that says what it is, never of a string: an address in full, or a name as it was typed,
/// would give each of its spellings an allowance of its own.
package struct LimitHolder: Hashable, Sendable {
    /// What buckets are named by; its digest alone is kept.
    let key: String

    private init(_ kind: StaticString, _ key: String = "") { self.key = "\(kind):\(key)" }

    package static func account(_ account: AccountID) -> LimitHolder { LimitHolder("account", account.rawValue) }

    /// A household of the network, of IPv6 all its 2^64 addresses.
    package static func network(_ network: ClientNetwork) -> LimitHolder { LimitHolder("network", "\(network)") }

    /// Where letters end up: all spellings of one mailbox.
    package static func recipient(_ mail: MailAddress) -> LimitHolder { LimitHolder("recipient", mail.mailbox) }

    /// The name that somebody signs in by. It need not be an account's: whether it is one shows in no bucket.
    package static func name(_ name: SignInName) -> LimitHolder { LimitHolder("name", name.text) }

    /// A browser in which this account has signed in before.
    package static func browser(_ browser: KnownBrowser) -> LimitHolder {
        LimitHolder("browser", "\(browser.name):\(browser.account.rawValue)")
    }

    /// A thing that has an id of its own, such as a display.
    package static func device(_ device: some Identifiable<String>) -> LimitHolder { LimitHolder("device", device.id) }

    /// All of them together.
    package static let everybody = LimitHolder("everybody")
}

/// A browser in which one account has signed in before.
package struct KnownBrowser: Hashable, Sendable {
    /// Of random letters.
    package let name: String
    package let account: AccountID

    package init(name: String, account: AccountID) { (self.name, self.account) = (name, account) }
}

/// What somebody types to say who they are: a handle, a mail address, or neither. All spellings that find one account are one name.
package struct SignInName: Hashable, Sendable {
    let text: String
    /// Nil for what cannot be one.
    let handle: Handle?
    /// Nil for what cannot be one, and for a handle.
    let mail: MailAddress?

    package init(typed: String) {
        handle = try? Handle(typed: typed)
        mail = handle == nil ? try? MailAddress(typed: typed) : nil
        // Mail addresses of accounts are compared without case.
        text = handle?.text ?? (mail?.text ?? PlainText(typed, limit: 300).value).lowercased()
    }

    /// All spellings are one name.
    package static func == (one: SignInName, other: SignInName) -> Bool { one.text == other.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
