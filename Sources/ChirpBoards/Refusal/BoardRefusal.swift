package import ChirpCommunity
package import ChirpWeb
package import HTTPTypes

/// Why a board has not done something, as people and programs are told.
package protocol BoardRefusal: Error {
    var status: HTTPResponse.Status { get }
    /// As people read it, without its full stop.
    var sentence: String { get }
    /// What is wrong, by the names of fields; sentences without their full stop.
    var wrong: [String: String] { get }
    /// Seconds after which it may go better.
    var wait: Int? { get }
}

extension BoardRefusal {
    package var wrong: [String: String] { [:] }
    package var wait: Int? { nil }

    /// As programs are told.
    package var problem: Problem {
        let kind =
            switch status {
            case .unprocessableContent: "invalid"
            case .notFound: "not-found"
            case .gone: "gone"
            case .conflict: "changed-meanwhile"
            case .tooManyRequests: "too-often"
            case .forbidden: "not-active"
            case .serviceUnavailable: "busy"
            default: "failed"
            }
        return Problem(status, kind, sentence, fields: wrong, retryAfter: wait)
    }
}

extension LibraryError {
    /// What a request is told that has met it: of what is over in a moment, to come again.
    package var status: HTTPResponse.Status {
        if case .busy = self { .serviceUnavailable } else { .internalServerError }
    }
}

extension ItemRefusal {
    package var status: HTTPResponse.Status {
        switch self {
        case .noAccount, .posting: .forbidden
        case .notFound: .notFound
        case .state(.withdrawn): .gone
        case .state, .frozen, .changed: .conflict
        case .tooOften: .tooManyRequests
        case .tooMany, .notYours, .empty, .tooLong: .unprocessableContent
        case .library(let error): error.status
        }
    }

    /// Seconds after which it may go better.
    package var wait: Int? {
        guard case .tooOften(let wait) = self else { return nil }
        return max(1, Int(clamping: wait.rounded(.up)))
    }
}
