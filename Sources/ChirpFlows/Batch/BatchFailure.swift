public import ChirpCore
public import ChirpJournal

/// Why a batch could not begin, or not go on. The failure of one file is no such reason.
public enum BatchFailure: Explained, Hashable {
    /// The folder of the recordings is not there or may not be read.
    case missing(path: String, reason: String)
    /// The folder of the clips cannot be made or written.
    case uncreatable(path: String, reason: String)
    /// The two folders are one, or the recordings lie among the clips.
    case sameFolder(source: String, target: String)
    /// Another run is writing there; the owner is told as far as it is known.
    case busy(path: String, owner: String)
    case tooMany(files: Int)
    /// The disk, or the user's share of it, is full.
    case full(path: String)
    case journal(JournalError)
    /// Changes in the folder cannot be watched.
    case unwatchable(path: String, reason: String)
    /// The fleet that was to make the clips cannot; in its own words.
    case fleet(whatHappened: String, cure: Cure, exit: ExitCode)
    /// Nobody takes the results any more.
    case unheard
    /// Stopped on purpose by fault injection.
    case halted(FaultPoint)
    case cancelled

    public var whatHappened: String {
        switch self {
        case .missing(let path, let reason): "cannot read \(quoted(path)): \(reason)"
        case .uncreatable(let path, let reason): "cannot create \(quoted(path)): \(reason)"
        case .sameFolder(let source, let target): "the clips of \(quoted(source)) cannot go to \(quoted(target))"
        case .busy(let path, let owner):
            "another batch is writing to \(quoted(path))" + (owner.isEmpty ? "" : ": \(PlainText(owner, limit: 200))")
        case .tooMany(let files): "there are more than \(files) files"
        case .full(let path): "the disk with \(quoted(path)) is full"
        case .journal(let error): error.whatHappened
        case .unwatchable(let path, let reason): "cannot watch \(quoted(path)): \(reason)"
        case .fleet(let whatHappened, _, _): whatHappened
        case .unheard: "nobody takes the results any more"
        case .halted(let point): "stopped on purpose at '\(point.rawValue)'"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .missing: .advice("Check the path and its permissions")
        case .uncreatable: .advice("Check that the folder may be written")
        case .sameFolder: .advice("Choose a folder for the clips that does not hold the recordings")
        case .busy: .advice("Wait for it, or choose another folder")
        case .tooMany: .advice("Run it on parts of the tree")
        case .full: .advice("Make room and run it again: what is done stays done")
        case .journal(let error): error.cure
        case .unwatchable: .either(.advice("Raise fs.inotify.max_user_watches"), .stopWatching)
        case .fleet(_, let cure, _): cure
        case .halted: .advice("Run it again")
        case .unheard, .cancelled: .none
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .missing: .missingInput
        case .uncreatable: .cannotCreateOutput
        case .sameFolder, .tooMany: .usage
        case .busy, .halted: .temporary
        case .full, .unwatchable, .unheard: .inputOutput
        case .journal(let error): error.exitCode
        case .fleet(_, _, let exit): exit
        case .cancelled: .interrupted
        }
    }

    private func quoted(_ text: String) -> String { "'\(PlainText(text, limit: 200))'" }
}
