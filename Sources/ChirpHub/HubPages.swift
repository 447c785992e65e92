package import ChirpAccounts
internal import ChirpCore
internal import ChirpFrame

/// Addresses of the hub's pages about accounts, for those who print or send them.
package struct HubPages: Sendable {
    /// What links begin with; without a slash at the end.
    private let publicURL: String

    package init(publicURL: String) { self.publicURL = publicURL }

    /// Where a link of ``AccountLink/Purpose/owner`` signs in.
    package func ownerSignIn(_ link: AccountLink) -> String {
        "\(publicURL)/signin/owner?token=\(link.token.secret.reveal())"
    }

    /// Where a link of ``AccountLink/Purpose/invite`` lets somebody sign up.
    package func signUp(_ link: AccountLink) -> String {
        "\(publicURL)/signup?invitation=\(link.token.secret.reveal())"
    }

    /// Where a link of ``AccountLink/Purpose/confirm`` is confirmed.
    package func confirm(_ link: AccountLink) -> String { "\(publicURL)/confirm?token=\(link.token.secret.reveal())" }

    /// Where a link of ``AccountLink/Purpose/reset`` sets a password.
    func reset(_ link: AccountLink) -> String { "\(publicURL)/reset?token=\(link.token.secret.reveal())" }

    /// Where a link begins a frame.
    package func frame(_ link: OpaqueToken) -> String { FrameLink.address(link, publicURL: publicURL) }

    /// Where somebody asks for such a link.
    var reset: String { "\(publicURL)/reset" }
}
