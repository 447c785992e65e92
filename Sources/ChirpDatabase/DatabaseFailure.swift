internal import GRDB

/// Why a database could not be opened, read or written. The module whose database it is says it in its own words.
package struct DatabaseFailure: Error, Hashable {
    /// What the caller can do about it depends on this alone.
    package enum Kind: Hashable, Sendable {
        /// Another connection held the database for longer than one waits.
        case busy
        /// The task was cancelled, or the statement was interrupted.
        case cancelled
        /// The disk is full.
        case full
        /// There is no file that can be opened.
        case cannotOpen
        /// The file holds something else.
        case notADatabase
        /// The file, or a value in it, makes no sense.
        case damaged
        /// A later release has changed the tables; this one does not know them.
        case superseded
        case inputOutput
    }

    package let kind: Kind
    /// What SQLite said. It may hold text from a file, so it is made plain before it is shown.
    package let reason: String

    package init(_ kind: Kind, reason: String = "") {
        self.kind = kind
        self.reason = reason
    }

    /// What GRDB has thrown, by SQLite's primary result code (sqlite.org/rescode.html).
    package init(_ error: any Error) {
        switch error {
        case let failure as DatabaseFailure: self = failure
        case is CancellationError: self.init(.cancelled, reason: "cancelled")
        case let error as DatabaseError:
            let kind: Kind =
                switch error.resultCode {
                case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
                case .SQLITE_INTERRUPT, .SQLITE_ABORT: .cancelled
                case .SQLITE_FULL: .full
                case .SQLITE_CANTOPEN: .cannotOpen
                case .SQLITE_NOTADB: .notADatabase
                case .SQLITE_CORRUPT: .damaged
                default: .inputOutput
                }
            // A backup that fails leaves no message, and SQLite's word for that is "not an error".
            let message = error.message.flatMap { $0 == "not an error" ? nil : $0 }
            self.init(kind, reason: message ?? "SQLite result \(error.extendedResultCode)")
        case is RowDecodingError: self.init(.damaged, reason: "\(error)")
        default: self.init(.inputOutput, reason: "\(error)")
        }
    }
}
