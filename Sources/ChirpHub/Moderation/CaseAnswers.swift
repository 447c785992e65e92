internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

extension CaseError {
    /// As HTTP has it.
    var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .own, .notActive, .rightLost, .notAllowed, .involved: .forbidden
        case .already, .changedMeanwhile: .conflict
        case .tooOften: .tooManyRequests
        case .refused: .unprocessableContent
        case .library(.busy): .serviceUnavailable
        case .library: .internalServerError
        }
    }

    private var kind: String {
        switch self {
        case .notFound: "not-found"
        case .own: "own"
        case .already: "already-reported"
        case .tooOften: "too-often"
        case .notActive: "not-active"
        case .rightLost: "right-lost"
        case .notAllowed: "not-allowed"
        case .involved: "involved"
        case .changedMeanwhile: "changed-meanwhile"
        case .refused: "not-accepted"
        case .library: "failed"
        }
    }

    /// A sentence for programs, without its full stop. Pages have ``words``.
    private var sentence: String {
        // What the disk has to say is for the log.
        if case .library = self { return "This cannot be done at this moment" }
        return whatHappened.prefix(1).uppercased() + whatHappened.dropFirst()
    }

    /// For programs.
    var problem: Problem {
        var fields: [String: String] = [:]
        if case .refused(let field, let why) = self { fields[field] = why.sentence }
        return Problem(status, kind, sentence, fields: fields, retryAfter: wait)
    }

    /// Seconds.
    var wait: Int? {
        if case .tooOften(let seconds) = self { return seconds }
        return nil
    }
}

extension PostingRefusal {
    /// Why a post comes too often, for programs.
    static let often = "New accounts post 10 times a day, all others 300 times an hour"

    /// For programs.
    var problem: Problem {
        switch self {
        case .tooOften(let seconds):
            Problem(
                .tooManyRequests, "too-often", Self.often, detail: "Try again in \(seconds) s", retryAfter: seconds)
        case .strangers(let seconds):
            Problem(
                .tooManyRequests, "too-often",
                "\(StrangerLetters.most) people who do not know you are written to in a day",
                detail: "Try again in \(seconds) s", retryAfter: seconds)
        case .outward(let seconds):
            Problem(
                .tooManyRequests, "too-often",
                "\(HubLibrary.mostOutwardActsADay) likes, shares and answers go to other servers in a day",
                detail: "Try again in \(seconds) s", retryAfter: seconds)
        case .notActive: CaseError.notActive.problem
        case .library(let error): CaseError.library(error).problem
        }
    }
}
