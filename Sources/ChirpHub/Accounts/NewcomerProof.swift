internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Knows the browser in which somebody has signed up when the link of the letter is confirmed there: it need not ask for the password
/// that was typed a minute ago.
///
/// The browser keeps a signature over the link's token, and never the token: who has the cookie alone learns no link, and who has the
/// letter alone is signed in nowhere.
struct NewcomerProof: Sendable {
    private let signer: Signer
    private let cookie: HostCookie

    /// As long as links work, in seconds.
    private static let lifetime = 30 * 60

    init(signer: Signer, isSecure: Bool) {
        self.signer = signer
        cookie = HostCookie("newcomer", isSecure: isSecure)
    }

    /// An answer to whoever has signed up. It looks the same where no account was made, so that nobody learns whose addresses are known.
    func give(_ response: Response, for link: OpaqueToken?) -> Response {
        let name = Signer.newName()
        let text = "\(name):\((link ?? OpaqueToken()).secret.reveal())"
        return response.setting(
            cookie, to: "\(name).\(signer.signature(of: text, for: "newcomer"))", seconds: Self.lifetime)
    }

    /// Whether the browser has signed up for the account that a link confirms.
    func holds(_ request: Request, for link: String) -> Bool {
        guard let parts = cookie.value(in: request)?.split(separator: "."), parts.count == 2, Signer.isName(parts[0])
        else { return false }
        return signer.isRight(String(parts[1]), of: "\(parts[0]):\(link)", for: "newcomer")
    }

    /// An answer that takes the proof back.
    func end(_ response: Response) -> Response { response.setting(cookie, to: "", seconds: 0) }
}
