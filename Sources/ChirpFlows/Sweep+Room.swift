public import ChirpCore
internal import ChirpJournal
public import ChirpStores

extension Sweep {
    /// Removes the oldest publications from a store until a clip fits that did not (`--make-room`).
    ///
    /// It removes nothing when even all of them would not be enough. Repeatable; between two removals the store is given
    /// time, because services limit how often they are written to.
    /// - Parameters:
    ///   - needed: the size of the clip that did not fit.
    ///   - free: what the store said is free.
    ///   - pause: sleeps between removals; throws when the task is cancelled.
    /// - Throws: `full` with the same numbers when there is not enough to remove, and what a removal fails with.
    public func makeRoom(
        for needed: ByteCount, free: ByteCount, in store: StoreProperties,
        pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(350)) }
    ) async throws(PublishFailure) -> Report {
        let done: [PublicationRecord]
        do throws(JournalError) {
            done = try await ports.journal.publications(in: [.done])
        } catch {
            throw .journal(error)
        }
        let here = done.filter { $0.storeName == store.name && $0.storePlace == store.place }
        let plan = RoomPlan(missing: needed - free, published: here)
        guard plan.suffices else { throw .store(.full(needed: needed, free: free)) }
        var report = Report()
        for id in plan.removals {
            if !report.expired.isEmpty {
                do { try await pause() } catch { throw .store(.cancelled) }
            }
            if try await expire(id) { report.expired.append(id) }
        }
        return report
    }
}
