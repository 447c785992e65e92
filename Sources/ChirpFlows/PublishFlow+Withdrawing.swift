internal import ChirpCore
internal import ChirpJournal
internal import ChirpNetworks
internal import ChirpStores
internal import FoundationEssentials

// What happens when a publication does not, or not any longer, belong to the world.
extension PublishFlow {
    /// Writes a failure down: a temporary one keeps the row and says when it is due again, a permanent one removes what
    /// was made. A journal that cannot be written leaves the row as it is, which is what a resumption starts from anyway.
    func settle(_ id: PublicationRecord.ID, _ failure: PublishFailure) async {
        if case .halted = failure { return }
        do throws(PublishFailure) {
            let record = try await self.record(id)
            let noted = try await note(failure, on: record)
            guard !failure.isKept, noted.state != .withdrawing else { return }
            do throws(PublishFailure) {
                _ = try await withdraw(noted, as: .failedForGood)
            } catch {
                _ = try await note(error, on: noted)
            }
        } catch {
            ports.report(.skipped("publication \(id)", because: error.whatHappened))
        }
    }

    private func note(
        _ failure: PublishFailure, on record: PublicationRecord
    ) async throws(PublishFailure) -> PublicationRecord {
        if case .halted = failure { throw failure }
        let asked = failure.retryAfter.map { min($0, .bounded(seconds: Journal.longestDelay)) }
        let delay = ports.backOff.delay(
            afterAttempt: record.attempts + 1, asked: asked, jitter: ports.jitter())
        let now = ports.now()
        let due = delay.map { now.addingTimeInterval($0 / .seconds(1)) }
        let stop = ports.stop
        return try await ports.update(record) { row in
            // The signal has tried to write this already, and may have found the journal locked.
            if stop?.stops(row.id) == true, row.state.isOpen, row.state != .withdrawing {
                row.stopped = row.stopped ?? now
            }
            row.attempts += 1
            row.isInHand = false
            row.lastError = failure.whatHappened
            row.nextAttempt = due
        }
    }

    /// Removes post, object and local files of a publication, and closes its row. Repeatable at any point.
    func withdraw(
        _ record: PublicationRecord, as outcome: PublicationState
    ) async throws(PublishFailure) -> PublicationRecord {
        var current = record
        if current.state != .withdrawing {
            current = try await ports.update(record) { row in
                row.state = .withdrawing
                row.outcome = outcome
                row.stopped = nil
            }
        }
        try ports.pass(.withdrawing)
        let begin = ports.uptime()
        ports.report(.started(.withdraw))
        try await removePost(current)
        try ports.pass(.postRemoved)
        if let id = current.objectID {
            let store = try await store(current, nil)
            do throws(StoreError) { try await store.remove(StoredObject.ID(id)) } catch { throw .store(error) }
        }
        try ports.pass(.objectRemoved)
        // By its name, not by the row: the process may have died before the row knew of it.
        ports.outbox.remove(ports.outbox.clip(of: current.id))
        if current.inputIsSpooled { ports.outbox.remove(current.inputPath) }
        let closed = try await ports.update(current) { row in
            row.state = row.outcome ?? outcome
            row.clipPath = nil
            row.inputPath = ""
            row.order = ""
            row.session = nil
            row.nextAttempt = nil
            row.isInHand = false
        }
        ports.report(.finished(.withdraw, seconds: (ports.uptime() - begin) / .seconds(1)))
        return closed
    }

    /// A post that its network cannot or will not remove must not keep the clip public.
    private func removePost(_ record: PublicationRecord) async throws(PublishFailure) {
        guard let id = record.postID else { return }
        let network = try await network(record, nil)
        do throws(NetworkError) {
            let id = Post.ID(id)
            if record.outcome == .expired { try await network.expire(id) } else { try await network.remove(id) }
        } catch {
            if case .signedOut = error { throw .network(error) }
            guard error.isPermanent else { throw .network(error) }
            ports.report(.skipped("the post \(id)", because: error.whatHappened))
        }
    }
}

extension PublishFailure {
    /// What the service asked for.
    fileprivate var retryAfter: Duration? {
        switch self {
        case .store(.busy(let retryAfter)), .network(.busy(let retryAfter)): retryAfter
        default: nil
        }
    }
}
