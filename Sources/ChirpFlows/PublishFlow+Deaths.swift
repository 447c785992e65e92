internal import ChirpJournal

// Two deaths and it is out: a publication that a process had in hand when it died is told by its mark, which any other end of the
// work takes away.
extension PublishFlow {
    /// Who goes on with a publication.
    package enum Attempt: Hashable, Sendable {
        /// `serve` and `live`, by themselves.
        case background
        /// A person who goes on with everything: also with what is set aside, which stays so until it is done.
        case everything
        /// A person who means this one: what has happened before does not count any more.
        case wanted
    }

    /// Counts the death that a mark tells of, and marks the row as in hand. The caller holds its lease.
    ///
    /// - Returns: the row; it is not in hand when it is set aside.
    func takeInHand(
        _ record: PublicationRecord, _ attempt: Attempt
    ) async throws(PublishFailure) -> PublicationRecord {
        try await ports.update(record) { row in
            Self.count(&row)
            switch attempt {
            case .background: row.isInHand = !row.isSetAside
            case .everything: row.isInHand = true
            case .wanted: (row.isInHand, row.deaths) = (true, 0)
            }
        }
    }

    /// Counts the death that a mark tells of, unless somebody is at it.
    func countDeath(of record: PublicationRecord) async throws(PublishFailure) -> PublicationRecord {
        guard record.isInHand, let lease = try lease(record.id) else { return record }
        let counted: Result<PublicationRecord, PublishFailure>
        do throws(PublishFailure) {
            counted = .success(try await ports.update(record) { Self.count(&$0) })
        } catch {
            counted = .failure(error)
        }
        lease.end()
        return try counted.get()
    }

    private static func count(_ row: inout PublicationRecord) {
        guard row.isInHand, row.state.isOpen else { return }
        row.isInHand = false
        row.deaths += 1
        if row.isSetAside { row.lastError = PublishFailure.diedTwice }
    }
}
