public import ChirpCore
package import ChirpFiles
package import ChirpHTTP

/// Why a store did not do what was asked.
public enum StoreError: Explained, Hashable {
    case full(needed: ByteCount, free: ByteCount?)
    /// The cause is a sentence without its full stop, or empty when nobody has ever signed in.
    case signedOut(store: String, cause: String = "")
    case forbidden(String)
    case missing(StoredObject.ID)
    /// Temporary: the service asks to come back later.
    case busy(retryAfter: Duration?)
    /// Temporary: no answer.
    case unreachable(String)
    /// For good. Status 0: without an answer, because asking made no sense or was not safe.
    case refused(status: Int, detail: String)
    /// The store cannot do this at all.
    case unsupported(String)
    /// The disk or the local file gave way.
    case inputOutput(path: String, reason: String)
    case cancelled

    /// Whether trying again later is pointless unless a person does something.
    public var isPermanent: Bool {
        switch self {
        case .busy, .unreachable, .inputOutput, .cancelled: false
        case .full, .signedOut, .forbidden, .missing, .refused, .unsupported: true
        }
    }

    public var whatHappened: String {
        switch self {
        case .full(let needed, let free?):
            "no room: the clip needs \(needed) (\(needed.bytes) bytes), \(free) (\(free.bytes) bytes) are free"
        case .full(let needed, nil): "no room: the store refused \(needed) (\(needed.bytes) bytes) for lack of space"
        case .signedOut(let store, ""): "not signed in to \(store)"
        case .signedOut(let store, let cause): "not signed in to \(store): \(PlainText(cause, limit: 400))"
        case .forbidden(let detail): "the store forbids this: \(PlainText(detail, limit: 300))"
        case .missing(let id): "the store has nothing called '\(PlainText(id.text, limit: 100))'"
        case .busy: "the store is busy"
        case .unreachable(let detail): "the store cannot be reached: \(PlainText(detail, limit: 300))"
        case .refused(0, let detail): "the store cannot be used: \(PlainText(detail, limit: 300))"
        case .refused(let status, let detail): "the store refused (\(status)): \(PlainText(detail, limit: 300))"
        case .unsupported(let what): "this store cannot \(what)"
        case .inputOutput(let path, let reason): "reading or writing '\(PlainText(path, limit: 200))' failed: \(reason)"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .full(let needed, let free): .freeSpace(needed: needed, free: free)
        case .signedOut(let store, _): .signIn(service: store)
        case .forbidden: .advice("Ask the owner of the account for access")
        case .missing: .advice("It may have expired or been deleted")
        case .busy, .unreachable: .both(.advice("It is kept in the outbox"), .resume(publication: nil))
        case .refused: .diagnose
        case .unsupported: .set(.store)
        case .inputOutput: .first(.advice("Check the free space and the permissions"), then: .resume(publication: nil))
        case .cancelled: .resume(publication: nil)
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .full: .noRoom
        case .signedOut: .signInNeeded
        case .forbidden, .missing, .refused, .unsupported: .refused
        case .busy, .unreachable: .temporary
        case .inputOutput: .inputOutput
        case .cancelled: .interrupted
        }
    }
}

extension FileError {
    /// The same fault as a store tells it.
    ///
    /// - Parameter needed: what was being stored; nil when nothing was.
    package func asStoreError(needed: ByteCount? = nil) -> StoreError {
        if isFull, let needed { return .full(needed: needed, free: nil) }
        return .inputOutput(path: path, reason: reason)
    }
}

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
