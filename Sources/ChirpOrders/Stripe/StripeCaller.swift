internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

/// Asks the service for one account.
struct StripeCaller: Sendable {
    let transport: any HTTPTransport
    let api: WebAddress
    /// Of the hub's owner's account.
    let key: Secret
    /// Whose account is asked about (`Stripe-Account`, docs.stripe.com/connect/direct-charges).
    let account: PaymentAccount

    /// The form of answers that this was written for (docs.stripe.com/api/versioning).
    static let version = "2024-06-20"

    /// A call that was answered with a refusal.
    enum Refusal: Error {
        /// By the service's word for it, as in `charge_already_refunded`; and whether a card was the reason.
        case refused(String, isCard: Bool)
        case error(PaymentError)
    }

    func get<Answer: Decodable>(
        _ path: String, _ fields: [(name: String, value: String)] = [], as type: Answer.Type
    ) async throws(Refusal) -> Answer {
        let address = api.replacing(path: root + path, query: fields.isEmpty ? nil : PercentEncoding.form(fields))
        return try await answer(HTTPRequest(.get, address, headers: headers), as: type)
    }

    /// - Parameter key: repeats of the same step have the same, and are done once.
    func post<Answer: Decodable>(
        _ path: String, _ fields: [(name: String, value: String)], key: String, as type: Answer.Type
    ) async throws(Refusal) -> Answer {
        var headers = headers
        headers["Idempotency-Key"] = key
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        let request = HTTPRequest(
            .post, api.replacing(path: root + path), headers: headers, body: .text(PercentEncoding.form(fields)),
            isRepeatable: true)
        return try await answer(request, as: type)
    }

    private var root: String { api.path.hasSuffix("/") ? String(api.path.dropLast()) : api.path }

    private var headers: HTTPHeaders {
        var headers: HTTPHeaders = [
            "Authorization": "Bearer " + key.reveal(), "Stripe-Version": Self.version,
        ]
        if let name = account.name { headers["Stripe-Account"] = name }
        return headers
    }

    private func answer<Answer: Decodable>(
        _ request: HTTPRequest, as type: Answer.Type
    ) async throws(Refusal) -> Answer {
        let response: HTTPResponse
        do { response = try await transport.send(request) } catch {
            switch error {
            case .cancelled: throw .error(.cancelled)
            default: throw .error(.later(provider: Stripe.name, reason: error.whatHappened))
            }
        }
        if response.isSuccess {
            guard let answer = response.json(type) else {
                throw .error(.later(provider: Stripe.name, reason: "its answer cannot be read"))
            }
            return answer
        }
        let reason = response.json(StripeObject.Failure.self)?.error
        switch response.status {
        // 409: the same step is being done at this moment, or its object is in use.
        case 408, 409, 425, 429, 500...599:
            throw .error(.later(provider: Stripe.name, reason: "status \(response.status)"))
        // docs.stripe.com/error-codes: it is not, or no longer, connected; or nobody may connect any.
        case 403 where ["account_invalid", "platform_account_required"].contains(reason?.code):
            throw .refused(reason?.code ?? "", isCard: false)
        case 401, 403:
            throw .error(.refused(provider: Stripe.name, reason: "the key of the seller's account is not accepted"))
        default:
            let word = reason?.declineCode ?? reason?.code ?? reason?.type ?? "status \(response.status)"
            throw .refused(PlainText(word, limit: 100).value, isCard: response.status == 402)
        }
    }
}
