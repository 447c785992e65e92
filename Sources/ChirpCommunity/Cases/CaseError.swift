package import ChirpCore
internal import ChirpDatabase
internal import GRDB

/// Why a report, a decision or an appeal cannot be taken.
package enum CaseError: Explained, Hashable {
    /// There is no such thing, or who asks may not see it.
    case notFound
    /// Nobody reports what is her own.
    case own
    /// One report per person and subject.
    case already
    case tooOften(seconds: Int)
    /// The account is suspended, closed or not confirmed.
    case notActive
    /// A moderator has taken the right to report away.
    case rightLost
    /// Decisions are for moderators, some for the owner alone.
    case notAllowed
    /// What is one's own, what one has reported, and the appeal against one's own decision are for others to decide.
    case involved
    /// Somebody else was first, or there is nothing left to do.
    case changedMeanwhile
    /// What was sent cannot be taken; the name of the field, and why.
    case refused(field: String, CaseFault)
    case library(LibraryError)

    package var whatHappened: String {
        switch self {
        case .notFound: "there is nothing of that kind here"
        case .own: "this is your own"
        case .already: "you have reported this already"
        case .tooOften(let seconds): "you have reported something a moment ago; you can report again in \(seconds) s"
        case .notActive: "the account is suspended or was not confirmed"
        case .rightLost: "a moderator has taken the right to report from this account"
        case .notAllowed: "this is for others to decide"
        case .involved: "you are involved in this; another moderator decides"
        case .changedMeanwhile: "this was decided meanwhile"
        case .refused(_, let why): why.sentence
        case .library(let error): error.whatHappened
        }
    }

    package var cure: Cure {
        switch self {
        case .tooOften(let seconds): .advice("Wait \(seconds) s")
        case .changedMeanwhile: .advice("Look at it again")
        case .already: .advice("Wait for a moderator, who has your report")
        case .rightLost, .notActive: .advice("Appeal, once, if you think that this is wrong")
        case .refused: .advice("Change it")
        case .library(let error): error.cure
        case .notFound, .own, .notAllowed, .involved: .none
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .tooOften, .changedMeanwhile: .temporary
        case .library(let error): error.exitCode
        default: .refused
        }
    }
}

extension HubLibrary {
    /// One transaction that a rule may refuse; then nothing of it happened.
    func act<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(CaseError) -> T {
        do { return try await database.write(body) } catch { throw caseError(error) }
    }

    /// The same for what only reads.
    func look<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(CaseError) -> T {
        do { return try await readers.read(database, body) } catch { throw caseError(error) }
    }

    private func caseError(_ error: any Error) -> CaseError {
        (error as? CaseError) ?? .library(LibraryError(DatabaseFailure(error), path: file.path))
    }
}
