internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Which program asks, and whether it has shown its secret: in the body or by HTTP Basic (RFC 6749, section 2.3.1).
struct ClientProof {
    let app: ClientApp
    /// False for a program that has shown none.
    let isAuthentic: Bool

    /// - Throws: ``Problem`` with `invalid_client` for an unknown program and a wrong secret.
    init(_ request: Request, _ fields: RequestFields, _ accounts: Accounts) async throws {
        let (id, secret) = Self.basic(request) ?? (fields["client_id"] ?? "", fields["client_secret"] ?? "")
        guard let app = try await accounts.app(id) else { throw Self.refusal }
        if !secret.isEmpty {
            guard let token = OpaqueToken(shown: secret), try await accounts.isRight(token, of: id) else {
                throw Self.refusal
            }
        }
        self.app = app
        isAuthentic = !secret.isEmpty
    }

    static let refusal = Problem(
        .unauthorized, "oauth", "invalid_client", detail: "The program is not known, or its secret is not right")

    private static func basic(_ request: Request) -> (id: String, secret: String)? {
        guard let parts = request.headers[.authorization]?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == "basic", let bytes = Data(base64Encoded: String(parts[1]))
        else { return nil }
        let pair = String(decoding: bytes, as: UTF8.self).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return nil }
        return (
            PercentEncoding.decode(pair[0], plusIsSpace: true), PercentEncoding.decode(pair[1], plusIsSpace: true)
        )
    }
}
