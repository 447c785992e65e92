internal import ChirpAccounts
internal import ChirpWeb
internal import Hummingbird

/// The browsers in which accounts have signed in before. A browser carries a random name and, for each of these accounts, a signature over
/// both and the epoch of the account's known browsers, which nobody else can make up and which names no account. Failed sign-ins of strangers do not count against it, for these accounts
/// and no others. It opens nothing.
///
/// What browsers were given by releases that signed the name alone is no signature of any account.
struct KnownBrowsers: Sendable {
    private let signer: Signer
    private let cookie: HostCookie

    /// How long a browser is known, in seconds: a year.
    private static let lifetime = 365 * 24 * 3600
    /// For how many accounts, the last ones. More share a browser in a library or a school, where none is known for long.
    static let most = 8

    init(signer: Signer, isSecure: Bool) {
        self.signer = signer
        cookie = HostCookie("known", isSecure: isSecure)
    }

    /// The browser that asks, where this account has signed in there before; nil for one that is a stranger's.
    ///
    /// - Parameter epoch: of the account: a reset, and signing out everywhere, begin another.
    func browser(_ request: Request, of account: AccountID, epoch: Int64) -> KnownBrowser? {
        guard let (name, signatures) = shown(request) else { return nil }
        let browser = KnownBrowser(name: name, account: account)
        return signatures.contains { isRight($0, browser, epoch) } ? browser : nil
    }

    /// An answer that makes the browser known to an account, which has just shown that it is its owner's.
    func remember(_ account: AccountID, epoch: Int64, _ request: Request, _ response: Response) -> Response {
        let (name, others) = shown(request) ?? (Signer.newName(), [])
        let browser = KnownBrowser(name: name, account: account)
        let signatures =
            [signer.signature(of: text(browser, epoch), for: "known browser")]
            + others.filter { !isRight($0, browser, epoch) }.prefix(Self.most - 1)
        return response.setting(
            cookie, to: ([name] + signatures).joined(separator: "."), seconds: Self.lifetime)
    }

    private func shown(_ request: Request) -> (name: String, signatures: [String])? {
        guard let parts = cookie.value(in: request)?.split(separator: ".", maxSplits: Self.most + 1),
            let name = parts.first, Signer.isName(name)
        else { return nil }
        // 43 letters: the base64 of a signature's 32 bytes.
        return (String(name), parts.dropFirst().prefix(Self.most).filter { $0.utf8.count == 43 }.map(String.init))
    }

    private func isRight(_ signature: String, _ browser: KnownBrowser, _ epoch: Int64) -> Bool {
        signer.isRight(signature, of: text(browser, epoch), for: "known browser")
    }

    private func text(_ browser: KnownBrowser, _ epoch: Int64) -> String {
        "\(browser.name):\(browser.account.rawValue):\(epoch)"
    }
}
