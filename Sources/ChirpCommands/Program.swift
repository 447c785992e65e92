internal import ChirpCommunity
internal import Synchronization

/// The program that runs: `chirp`, or the small one that a first `make run SERVE=0` builds.
package enum Program {
    /// The version of both.
    package static let version = "0.1.0"

    static let tables = Mutex<@Sendable () -> [BoardTables]>({ [.absent] })

    /// The tables that its boards keep in a library.
    static var boards: [BoardTables] { tables.withLock { $0 }() }
}
