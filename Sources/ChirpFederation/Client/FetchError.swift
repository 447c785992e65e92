internal import ChirpCore
package import ChirpHTTP

/// Why there is no document.
package enum FetchError: Error, Hashable {
    /// The rules do not allow it; why.
    case forbidden(String)
    case unreachable(HTTPError)
    /// The whole took longer than ``FederationClient/patience``.
    case tooSlow
    /// It is gone for good (410).
    case gone
    /// Another answer than a document; 401 and 403 where the other server does not speak with this one.
    case status(Int, after: Duration?)
    /// It came, but is not one of ActivityPub by its type: a file that somebody has put there may look like one.
    case notActivity
    case document(DocumentError)

    /// Whether asking later may help.
    package var isTemporary: Bool {
        switch self {
        case .unreachable(let error): error.isTemporary
        case .tooSlow: true
        case .status(let status, _): status == 408 || status == 429 || status >= 500
        case .forbidden, .gone, .notActivity, .document: false
        }
    }

    package var whatHappened: String {
        switch self {
        case .forbidden(let reason): PlainText(reason, limit: 200).value
        case .unreachable(let error): error.whatHappened
        case .tooSlow: "it took longer than \(FederationClient.patience)"
        case .gone: "it is gone"
        case .status(let status, _): "the answer was \(status)"
        case .notActivity: "the answer is no document of ActivityPub"
        case .document(let error): error.whatHappened
        }
    }
}
