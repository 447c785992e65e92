internal import ChirpWeb
internal import Hummingbird

/// Browsers in which somebody has signed in before: they carry a signed name, which nobody else can make up. Failed sign-ins of
/// strangers do not count against them.
struct KnownBrowsers: Sendable {
    private let signer: Signer
    private let cookie: HostCookie

    /// How long a browser is known, in seconds: a year.
    private static let lifetime = 365 * 24 * 3600

    init(signer: Signer, isSecure: Bool) {
        self.signer = signer
        cookie = HostCookie("known", isSecure: isSecure)
    }

    /// The name of the browser that asks; nil for one that is not known.
    func name(_ request: Request) -> String? {
        guard let parts = cookie.value(in: request)?.split(separator: "."), parts.count == 2, Signer.isName(parts[0]),
            signer.isRight(String(parts[1]), of: String(parts[0]), for: "browser")
        else { return nil }
        return String(parts[0])
    }

    /// An answer that makes the browser known.
    func remember(_ request: Request, _ response: Response) -> Response {
        let name = name(request) ?? Signer.newName()
        return response.setting(
            cookie, to: "\(name).\(signer.signature(of: name, for: "browser"))", seconds: Self.lifetime)
    }
}
