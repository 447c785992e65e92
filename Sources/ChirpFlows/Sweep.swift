public import ChirpJournal
public import ChirpStores
public import FoundationEssentials

/// Removes what has expired, here and in the stores, and what dead processes left behind (CH-12). Repeatable.
public struct Sweep: Sendable {
    /// What a sweep has done.
    public struct Report: Sendable {
        /// Publications whose post and clip were removed.
        public var expired: [PublicationRecord.ID] = []
        /// Clips removed from the store that keeps its own expiry, by id.
        public var storeOnly: [String] = []
        /// Publications that could not be removed now; they are tried again.
        public var failed: [(id: PublicationRecord.ID, failure: PublishFailure)] = []
        /// Files of the outbox folder that nobody knew.
        public var strays = 0
        /// What the store's own sweep failed with.
        public var storeFailure: StoreError?
    }

    let ports: FlowPorts
    private let flow: PublishFlow
    private let storeSweep: @Sendable (Date) async throws(StoreError) -> [String]

    /// - Parameter storeSweep: removes what has expired in a store that keeps its own list (the hub), and gives the ids.
    public init(
        _ ports: FlowPorts,
        storeSweep: @escaping @Sendable (Date) async throws(StoreError) -> [String] = { (_) async throws(StoreError) in
            []
        }
    ) {
        self.ports = ports
        flow = PublishFlow(ports)
        self.storeSweep = storeSweep
    }

    /// One failure does not stop the rest; a journal that cannot be read does.
    public func run() async throws(JournalError) -> Report {
        var report = Report()
        let now = ports.now()
        for record in try await ports.journal.publications(expiredBefore: now) where !Task.isCancelled {
            do throws(PublishFailure) {
                if try await expire(record.id) { report.expired.append(record.id) }
            } catch {
                report.failed.append((record.id, error))
            }
        }
        do throws(StoreError) { report.storeOnly = try await storeSweep(now) } catch { report.storeFailure = error }
        let open = try await ports.journal.publications(in: PublicationState.open)
        let known = Set(open.flatMap { [$0.inputPath, $0.clipPath ?? "", ports.outbox.clip(of: $0.id)] })
        report.strays = ports.outbox.removeStrays(known: known, now: now)
        return report
    }

    /// Withdraws a finished publication.
    ///
    /// - Returns: false when somebody else was faster.
    func expire(_ id: PublicationRecord.ID) async throws(PublishFailure) -> Bool {
        guard let lease = try flow.lease(id) else { return false }
        let result: Result<Bool, PublishFailure>
        do throws(PublishFailure) {
            let record = try await flow.record(id)
            if record.state == .done { _ = try await flow.withdraw(record, as: .expired) }
            result = .success(record.state == .done)
        } catch {
            await flow.settle(id, error)
            result = .failure(error)
        }
        lease.end()
        return try result.get()
    }
}
