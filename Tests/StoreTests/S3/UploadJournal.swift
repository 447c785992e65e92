import ChirpStores
import Synchronization

/// What a publication's row remembers of an upload, from process to process.
final class UploadJournal: Sendable {
    private let rows = Mutex<[(session: String?, bytes: Int64)]>([])

    var checkpoint: UploadCheckpoint {
        UploadCheckpoint(session: session) { session, bytes in self.rows.withLock { $0.append((session, bytes)) } }
    }

    var session: String? { rows.withLock { $0.last?.session } }
    var confirmed: [Int64] { rows.withLock { $0.map(\.bytes) } }
}
