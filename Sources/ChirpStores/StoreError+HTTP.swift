package import ChirpHTTP

extension StoreError {
    /// A missing answer as a store tells it. Status 0 stands for "there was no answer, and none is to be expected".
    package init(_ error: HTTPError, store: String) {
        switch error {
        case .cancelled: self = .cancelled
        case .inputOutput(let path, let reason): self = .inputOutput(path: path, reason: reason)
        case .signedOut(_, let cause): self = .signedOut(store: store, cause: cause)
        default:
            self =
                error.isTemporary ? .unreachable(error.whatHappened) : .refused(status: 0, detail: error.whatHappened)
        }
    }
}
