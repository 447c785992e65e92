public import ChirpClips
public import ChirpJournal

/// What is not finished: listing, resuming and dropping publications.
public struct Outbox: Sendable {
    /// What came of one publication that was resumed.
    public struct Outcome: Sendable {
        public let id: PublicationRecord.ID
        /// What the user calls the recording.
        public let name: String
        /// The receipt of a publication that is done now; nil for one that has been withdrawn.
        public let result: Result<Receipt?, PublishFailure>
    }

    private let ports: FlowPorts
    private let flow: PublishFlow

    public init(_ ports: FlowPorts) {
        self.ports = ports
        flow = PublishFlow(ports)
    }

    /// The open publications, oldest first. A death that nobody has counted yet is counted, so that what is set aside shows.
    public func list() async throws(JournalError) -> [PublicationRecord] {
        var records = try await ports.journal.publications(in: PublicationState.open)
        for index in records.indices {
            do throws(PublishFailure) { records[index] = try await flow.countDeath(of: records[index]) } catch {
                if case .journal(let error) = error { throw error }
            }
        }
        return records
    }

    /// Goes on with one publication, also with one that was stopped or is set aside.
    ///
    /// - Parameter id: its id, or a beginning that only it has.
    public func resume(_ id: String) async throws(PublishFailure) -> Outcome {
        let record = try await flow.record(id)
        return await resume(record, .wanted)
    }

    /// Goes on with all, those that were stopped too, one after the other; one that fails does not stop the next. What is set
    /// aside comes last, so that it stops nothing else.
    public func resumeAll() async throws(JournalError) -> [Outcome] {
        let records = try await list()
        return await resume(records.filter { !$0.isSetAside } + records.filter(\.isSetAside), .everything)
    }

    /// Goes on with those that are due, without being asked: what a person has stopped, and what processes have died of, waits for
    /// a person.
    public func resumeDue() async throws(JournalError) -> [Outcome] {
        await resume(try await ports.journal.publications(dueBefore: ports.now()), .background)
    }

    /// Removes what a publication has made, and forgets about it.
    ///
    /// - Parameter id: its id, or a beginning that only it has.
    public func drop(_ id: String) async throws(PublishFailure) -> PublicationRecord {
        let found = try await flow.record(id)
        guard let lease = try flow.lease(found.id) else { throw .inProgress(id: found.id) }
        let result: Result<PublicationRecord, PublishFailure>
        do throws(PublishFailure) {
            let record = try await flow.record(found.id)
            if record.state == .posting {
                let text = "a post may have been sent before the answer was lost; look at your account"
                ports.report(.note(Receipt.Note(code: "post-unknown", text: text)))
            }
            result = .success(record.state.isOpen ? try await flow.withdraw(record, as: .dropped) : record)
        } catch {
            await flow.settle(found.id, error)
            result = .failure(error)
        }
        lease.end()
        return try result.get()
    }

    private func resume(_ records: [PublicationRecord], _ attempt: PublishFlow.Attempt) async -> [Outcome] {
        var outcomes: [Outcome] = []
        for record in records where !Task.isCancelled { outcomes.append(await resume(record, attempt)) }
        return outcomes
    }

    private func resume(_ record: PublicationRecord, _ attempt: PublishFlow.Attempt) async -> Outcome {
        do throws(PublishFailure) {
            let finished = try await flow.resume(record.id, attempt)
            let receipt = finished.state == .done ? try Receipt(of: finished) : nil
            return Outcome(id: record.id, name: record.inputName, result: .success(receipt))
        } catch {
            return Outcome(id: record.id, name: record.inputName, result: .failure(error))
        }
    }
}
