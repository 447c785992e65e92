internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird
internal import Synchronization

extension Problem {
    static let noSession = Problem(.notFound, "no-session", "No live session runs")

    static let nobodyChosen = Problem(
        .unprocessableContent, "nobody-chosen", "Nobody is chosen", detail: "Name at least one account that is followed"
    )

    static func notFollowed(_ names: [String]) -> Problem {
        Problem(
            .unprocessableContent, "not-followed", "Somebody is chosen who is not followed",
            detail: names.prefix(10).map { PlainText($0, limit: 60).value }.joined(separator: ", "))
    }

    static func badTime(_ detail: String) -> Problem {
        Problem(.unprocessableContent, "bad-time", "One cannot listen then", detail: detail)
    }

    /// - Parameter id: of the session that runs.
    static func alreadyLive(_ id: String) -> Problem {
        Problem(.conflict, "already-live", "A live session runs already", detail: id)
    }

    static func unclear(_ field: String) -> Problem {
        Problem(
            .unprocessableContent, "not-accepted", "Validation failed: \(field)",
            fields: [field: "cannot be taken"])
    }
}

extension WebContext {
    /// Whose account it is.
    ///
    /// - Throws: 401.
    var listener: AccountID {
        get throws {
            guard let person else { throw Problem(.unauthorized, "signed-out", "The access token is invalid") }
            return AccountID(rawValue: person.id)
        }
    }
}

/// The number of a browser at the desk, once it has one.
final class EarPlace: Sendable {
    private let value = Mutex<Int?>(nil)

    var number: Int? { value.withLock { $0 } }

    func set(_ number: Int) { value.withLock { $0 = number } }
}
