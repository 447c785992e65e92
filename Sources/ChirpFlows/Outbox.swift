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

    /// The open publications, oldest first.
    public func list() async throws(JournalError) -> [PublicationRecord] {
        try await ports.journal.publications(in: PublicationState.open)
    }

    /// Goes on with one publication, also with one that was stopped.
    ///
    /// - Parameter id: its id, or a beginning that only it has.
    public func resume(_ id: String) async throws(PublishFailure) -> Outcome {
        let record = try await flow.record(id)
        return await resume(record, isAsked: true)
    }

    /// Goes on with all, those that were stopped too, one after the other; one that fails does not stop the next.
    public func resumeAll() async throws(JournalError) -> [Outcome] { await resume(try await list(), isAsked: true) }

    /// Goes on with those that are due, without being asked: what a person has stopped waits for a person.
    public func resumeDue() async throws(JournalError) -> [Outcome] {
        await resume(try await ports.journal.publications(dueBefore: ports.now()), isAsked: false)
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

    private func resume(_ records: [PublicationRecord], isAsked: Bool) async -> [Outcome] {
        var outcomes: [Outcome] = []
        for record in records where !Task.isCancelled { outcomes.append(await resume(record, isAsked: isAsked)) }
        return outcomes
    }

    private func resume(_ record: PublicationRecord, isAsked: Bool) async -> Outcome {
        do throws(PublishFailure) {
            let finished = try await flow.resume(record.id, isAsked: isAsked)
            let receipt = finished.state == .done ? try Receipt(of: finished) : nil
            return Outcome(id: record.id, name: record.inputName, result: .success(receipt))
        } catch {
            return Outcome(id: record.id, name: record.inputName, result: .failure(error))
        }
    }
}
