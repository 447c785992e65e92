package import HTTPTypes

/// Why a program was refused, in a form that it can read (RFC 9457).
package struct Problem: Error, Hashable, Sendable {
    package let status: HTTPResponse.Status
    /// The last part of its type's address: stable, in lower case.
    package let kind: String
    /// A sentence that is the same for all of its kind.
    package let title: String
    /// What it was this time, and what to do.
    package let detail: String?
    /// What was wrong with each field, by its name.
    package let fields: [String: String]
    /// After how many seconds it may go better.
    package let retryAfter: Int?
    /// What is wrong with the token that was shown.
    package let bearer: BearerFault?

    /// Why a token opens nothing, as RFC 6750, section 3.1, names it.
    package enum BearerFault: Hashable, Sendable {
        case invalidToken
        /// With the scopes that would do.
        case insufficientScope([String])

        /// The challenge of the header `WWW-Authenticate`.
        var challenge: String {
            switch self {
            case .invalidToken: "Bearer error=\"invalid_token\""
            case .insufficientScope(let scopes):
                "Bearer error=\"insufficient_scope\", scope=\"\(scopes.joined(separator: " "))\""
            }
        }
    }

    package init(
        _ status: HTTPResponse.Status, _ kind: String, _ title: String, detail: String? = nil,
        fields: [String: String] = [:], retryAfter: Int? = nil, bearer: BearerFault? = nil
    ) {
        self.status = status
        self.kind = kind
        self.title = title
        self.detail = detail
        self.fields = fields
        self.retryAfter = retryAfter
        self.bearer = bearer
    }

    /// As the hub's own API tells it.
    struct Document: Encodable {
        let type: String
        let title: String
        let status: Int
        let detail: String?
        let errors: [String: String]?
    }

    /// As Mastodon and OAuth 2.0 tell it.
    struct ClientDocument: Encodable {
        let error: String
        let error_description: String?
    }

    /// - Parameter base: what the addresses of types begin with.
    func document(base: String) -> Document {
        Document(
            type: "\(base)/api/hub/v1/problems/\(kind)", title: title, status: status.code, detail: detail,
            errors: fields.isEmpty ? nil : fields)
    }

    var clientDocument: ClientDocument {
        let all = [detail] + fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let text = all.compactMap { $0 }.joined(separator: "; ")
        return ClientDocument(error: title, error_description: text.isEmpty ? nil : text)
    }
}
