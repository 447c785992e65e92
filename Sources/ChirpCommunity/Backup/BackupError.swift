public import ChirpCore
internal import ChirpDatabase
internal import ChirpFiles
internal import Glibc

/// Why a hub cannot be backed up, restored or checked.
public enum BackupError: Explained, Hashable {
    /// There is no hub in the folder.
    case noHub(path: String)
    /// Where a hub is to be restored there is one, or something else.
    case occupied(path: String)
    /// A hub is being served from the folder.
    case served(path: String)
    /// Another process is restoring a hub to the same place.
    case restoring(path: String)
    /// The backup cannot be written there.
    case badTarget(path: String, reason: String)
    /// The backup is not there, or cannot be opened.
    case unreadable(path: String, reason: String)
    /// The file is no backup of a hub, or no whole one.
    case noBackup(path: String, reason: String)
    /// A later release has written the backup in a form that this one does not know.
    case newerBackup(path: String)
    /// The hub's own database is damaged: a backup of it could not be restored.
    case damagedHub(path: String)
    /// There are more clips than the list of a backup may name.
    case tooManyClips
    case noSpace(path: String)
    /// Files there may not be as large as this one has to be.
    case tooLarge(path: String)
    case inputOutput(path: String, reason: String)
    case library(LibraryError)
    case cancelled

    public var whatHappened: String {
        func quoted(_ path: String) -> String { "'\(PlainText(path, limit: 200))'" }
        return switch self {
        case .noHub(let path): "there is no hub in \(quoted(path)) yet"
        case .occupied(let path): "\(quoted(path)) is not empty, and nothing in it is overwritten"
        case .served(let path): "a hub is being served from \(quoted(path))"
        case .restoring(let path): "another process is restoring a hub to \(quoted(path))"
        case .badTarget(let path, let reason): "the backup cannot be written to \(quoted(path)): \(reason)"
        case .unreadable(let path, let reason): "\(quoted(path)) cannot be read: \(reason)"
        case .noBackup(let path, let reason): "\(quoted(path)) is no whole backup of a hub: \(reason)"
        case .newerBackup(let path): "\(quoted(path)) was written by a newer Chirp"
        case .damagedHub(let path): "\(quoted(path)) is damaged, so that no backup of it could be restored"
        case .tooManyClips: "the hub has more clips than one backup holds"
        case .noSpace(let path): "no space is left for \(quoted(path))"
        case .tooLarge(let path): "\(quoted(path)) would be larger than a file may be there"
        case .inputOutput(let path, let reason): "reading or writing \(quoted(path)) failed: \(reason)"
        case .library(let error): error.whatHappened
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .noHub: .either(.advice("Publish something first"), .set(.dataFolder))
        case .occupied(let path):
            .either(.advice("Move '\(PlainText(path, limit: 200))' away"), .set(.dataFolder))
        case .served: .either(.advice("End that hub first"), .set(.dataFolder))
        case .restoring: .advice("Wait until it has ended")
        case .badTarget: .advice("Name a file in a folder that you may write to, outside the hub's own")
        case .unreadable: .advice("Check the path and its permissions")
        case .noBackup: .advice("Fetch the file again, or take an older backup; nothing was restored")
        case .newerBackup: .advice("Install the newer Chirp")
        case .damagedHub: .advice("Restore the hub from an earlier backup, after moving its folder away")
        case .tooManyClips: .advice("Copy the hub's folder while it is not being served")
        case .noSpace: .advice("Free some space, or name a file on another disk")
        case .tooLarge: .advice("Name a file on another disk, or raise the limit of this user (ulimit -f)")
        case .inputOutput: .advice("Check the disk and the permissions")
        case .library(let error): error.cure
        case .cancelled: .none
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .noHub, .unreadable: .missingInput
        case .occupied, .badTarget: .cannotCreateOutput
        case .served: .refused
        case .restoring: .temporary
        case .noBackup: .badInput
        case .newerBackup: .badConfiguration
        case .tooManyClips, .noSpace, .tooLarge: .noRoom
        case .damagedHub, .inputOutput: .inputOutput
        case .library(let error): error.exitCode
        case .cancelled: .interrupted
        }
    }

    /// What the system said of a file that is written or read.
    init(_ error: FileError) {
        if error.isCancellation {
            self = .cancelled
        } else if error.isFull {
            self = .noSpace(path: error.path)
        } else if error.number == EFBIG {
            self = .tooLarge(path: error.path)
        } else {
            self = .inputOutput(path: error.path, reason: error.reason)
        }
    }

    /// What SQLite said of a hub's own database or of a copy.
    init(_ failure: DatabaseFailure, path: String) {
        switch failure.kind {
        case .full: self = .noSpace(path: path)
        case .cancelled: self = .cancelled
        default: self = .library(LibraryError(failure, path: path))
        }
    }
}
