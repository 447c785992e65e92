public import ChirpCore
internal import ChirpHTTP

/// Why a network did not do what was asked.
public enum NetworkError: Explained, Hashable {
    /// The cause is a sentence without its full stop, or empty when nobody has ever signed in.
    case signedOut(network: String, cause: String = "")
    case forbidden(String)
    /// Temporary: a rate limit or an overloaded service.
    case busy(retryAfter: Duration?)
    /// Temporary: no answer. The request may have been carried out.
    case unreachable(String)
    case refused(status: Int, detail: String)
    /// The user's own budget, or the service's credit, does not cover this.
    case overBudget(String)
    case unsupported(String)
    case inputOutput(path: String, reason: String)
    case cancelled

    /// Whether trying again later is pointless unless a person does something.
    public var isPermanent: Bool {
        switch self {
        case .busy, .unreachable, .inputOutput, .cancelled: false
        case .signedOut, .forbidden, .refused, .overBudget, .unsupported: true
        }
    }

    public var whatHappened: String {
        switch self {
        case .signedOut(let network, ""): "not signed in to \(network)"
        case .signedOut(let network, let cause): "not signed in to \(network): \(PlainText(cause, limit: 400))"
        case .forbidden(let detail): "the network forbids this: \(PlainText(detail, limit: 300))"
        case .busy: "the network is busy or has limited this account for a while"
        case .unreachable(let detail): "the network cannot be reached: \(PlainText(detail, limit: 300))"
        case .refused(let status, let detail): "the network refused (\(status)): \(PlainText(detail, limit: 300))"
        case .overBudget(let detail): "over budget: \(PlainText(detail, limit: 300))"
        case .unsupported(let what): "this network cannot \(what)"
        case .inputOutput(let path, let reason): "reading or writing '\(PlainText(path, limit: 200))' failed: \(reason)"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .signedOut(let network, _): .signIn(service: network)
        case .forbidden, .refused: .diagnose
        case .busy, .unreachable: .both(.advice("It is kept in the outbox"), .resume(publication: nil))
        case .overBudget: .either(.set(.budget), .postByHand)
        case .unsupported: .set(.network)
        case .inputOutput: .first(.advice("Check the free space and the permissions"), then: .resume(publication: nil))
        case .cancelled: .resume(publication: nil)
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .signedOut: .signInNeeded
        case .forbidden, .refused, .unsupported: .refused
        case .busy, .unreachable: .temporary
        case .overBudget: .noRoom
        case .inputOutput: .inputOutput
        case .cancelled: .interrupted
        }
    }
}

extension NetworkError {
    /// Why a request to a network has no answer.
    init(_ error: HTTPError) {
        switch error {
        case .signedOut(let service, let cause): self = .signedOut(network: service, cause: cause)
        case .inputOutput(let path, let reason): self = .inputOutput(path: path, reason: reason)
        case .cancelled: self = .cancelled
        case .unresolved, .unreachable, .interrupted: self = .unreachable(error.whatHappened)
        case .badAddress, .insecure, .libraryMissing, .untrusted, .privateAddress, .tooLarge, .redirect, .malformed:
            self = .forbidden(error.whatHappened)
        }
    }
}
