public import ChirpJournal
public import FoundationEssentials
internal import Synchronization

/// A person's wish that the publications in hand stop, from the moment of the signal on.
///
/// The wish is in the journal before anything else happens, so that neither a second signal nor a crash on the way out lets
/// `serve` or `live` go on with what a person has stopped. A process that dies without the wish leaves its rows as they are, and
/// they are resumed as ever.
public final class PublicationStop: Sendable {
    private struct State {
        var isWished = false
        var inHand: [PublicationRecord.ID: Journal] = [:]
    }

    private let state = Mutex(State())
    /// Whether the wish has been written; the lock is held while it is.
    private let writing = Mutex(false)

    public init() {}

    public var isWished: Bool { state.withLock { $0.isWished } }

    /// Whether this one is to be stopped: others are removed meanwhile to make room.
    func stops(_ id: PublicationRecord.ID) -> Bool { state.withLock { $0.isWished && $0.inHand[id] != nil } }

    /// The publications that were stopped, or would be.
    public var inHand: [PublicationRecord.ID] { state.withLock { Array($0.inHand.keys) } }

    /// Stops what is in hand, and what is taken in hand from now on. Blocks until the journal knows, for its patience at most;
    /// may be called from several threads, each of which waits for that.
    public func wish(now: Date = Date()) {
        writing.withLock { isWritten in
            guard !isWritten else { return }
            isWritten = true
            let inHand = state.withLock { state in
                state.isWished = true
                return state.inHand
            }
            // A journal that cannot be written now is tried again when the flow writes down why it ended.
            for (id, journal) in inHand { try? journal.stop(id, now: now) }
        }
    }

    /// The lease on a publication has been taken.
    func hold(_ id: PublicationRecord.ID, in journal: Journal) { state.withLock { $0.inHand[id] = journal } }

    /// It is finished.
    func release(_ id: PublicationRecord.ID) { state.withLock { $0.inHand[id] = nil } }
}
