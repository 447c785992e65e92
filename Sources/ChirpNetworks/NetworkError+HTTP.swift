internal import ChirpHTTP

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
