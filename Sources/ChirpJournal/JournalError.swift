public import ChirpCore
internal import ChirpDatabase

/// Why the journal could not be read or written.
public enum JournalError: Explained, Hashable {
    /// Another process has held the database longer than the journal waits.
    case locked(path: String)
    case corrupt(path: String, reason: String)
    /// A newer Chirp has been here; this one does not know its tables.
    case newerSchema(path: String)
    case inputOutput(path: String, reason: String)
    /// No publication has this id, or several begin with it.
    case unknownPublication(String)
    /// No clip that was heard has this number.
    case unknownPlay(PlayID)

    public var whatHappened: String {
        switch self {
        case .locked(let path): "the journal \(quoted(path)) is in use by another process"
        case .corrupt(let path, let reason): "the journal \(quoted(path)) is damaged: \(PlainText(reason, limit: 200))"
        case .newerSchema(let path): "the journal \(quoted(path)) was written by a newer version of Chirp"
        case .inputOutput(let path, let reason): "the journal \(quoted(path)) failed: \(PlainText(reason, limit: 200))"
        case .unknownPublication(let id): "there is no one publication called \(quoted(id))"
        case .unknownPlay(let id): "there is no clip number \(id)"
        }
    }

    public var cure: Cure {
        switch self {
        case .locked: .advice("Wait a moment and run it again")
        case .corrupt: .advice("Move the file away and run it again; published clips stay where they are")
        case .newerSchema: .either(.advice("Update Chirp"), .set(.stateFolder))
        case .inputOutput: .advice("Check the free space and the permissions of the folder")
        case .unknownPublication: .look(at: .outbox)
        case .unknownPlay: .look(at: .played)
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .locked: .temporary
        case .corrupt, .inputOutput: .inputOutput
        case .newerSchema: .badConfiguration
        case .unknownPublication, .unknownPlay: .usage
        }
    }

    /// What opening, reading or writing has failed with, as the journal tells it.
    init(_ failure: DatabaseFailure, path: String) {
        switch failure.kind {
        case .busy: self = .locked(path: path)
        case .notADatabase, .damaged: self = .corrupt(path: path, reason: failure.reason)
        case .superseded: self = .newerSchema(path: path)
        case .cancelled, .full, .cannotOpen, .inputOutput: self = .inputOutput(path: path, reason: failure.reason)
        }
    }

    private func quoted(_ text: String) -> String { "'\(PlainText(text, limit: 200))'" }
}
