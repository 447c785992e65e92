package import ChirpCommunity
package import ChirpCore
package import ChirpStores

/// Why a backup does not get into a store, or not back from it.
package enum StoredBackupError: Explained, Hashable {
    /// It cannot be made or restored.
    case hub(BackupError)
    /// The store does not take it or give it.
    case store(StoreError)
    /// The store has none.
    case noBackup(place: String)

    package var whatHappened: String {
        switch self {
        case .hub(let error): error.whatHappened
        case .store(let error): error.whatHappened
        case .noBackup(let place): "there is no backup of a hub in '\(PlainText(place, limit: 200))'"
        }
    }

    package var cure: Cure {
        switch self {
        case .hub(let error): error.cure
        case .store(.busy), .store(.unreachable): .advice("Try again later")
        case .store(.full): .advice("Make room there, or keep fewer backups")
        case .store(.missing): .advice("Leave the name out for the newest one")
        case .store(.inputOutput): .advice("Check the free space and the permissions")
        case .store(.cancelled): .none
        case .store(let error): error.cure
        case .noBackup: .advice("Check the place in the configuration, and that a backup was made there")
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .hub(let error): error.exitCode
        case .store(.missing), .noBackup: .missingInput
        case .store(let error): error.exitCode
        }
    }

    /// Whether it was only interrupted.
    var isCancellation: Bool { self == .hub(.cancelled) || self == .store(.cancelled) }
}
