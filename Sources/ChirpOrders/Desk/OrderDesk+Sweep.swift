internal import ChirpCommunity
internal import ChirpCore

extension OrderDesk {
    /// What a sweep has done.
    package struct Sweep: Hashable, Sendable {
        package var events = 0
        package var orders = 0
        package var deliveries = 0
        /// What went wrong and is tried another time, in words, at most ten.
        package var problems: [String] = []

        package var isEmpty: Bool { events == 0 && orders == 0 && deliveries == 0 }
    }

    /// Does all that is due: messages that were written down only, orders whose provider is to be asked (reconciliation: messages get lost), and
    /// deliveries. One round of at most a hundred of each; whoever wants all of it repeats it until nothing is done.
    package func sweep() async throws(OrderRefusal) -> Sweep {
        var sweep = Sweep()
        for event in try await store.dueEvents() {
            try await doing(&sweep, \.events) { () async throws(OrderRefusal) in try await self.apply(event) }
        }
        for id in try await store.dueOrders() {
            try await doing(&sweep, \.orders) { () async throws(OrderRefusal) in try await self.look(at: id) }
        }
        for order in try await store.dueDeliveries() {
            try await doing(&sweep, \.deliveries) { () async throws(OrderRefusal) in try await self.deliver(order) }
        }
        try await store.forgetOldEvents()
        return sweep
    }

    /// Brings what was paid. Once: whoever comes second finds it delivered.
    @discardableResult
    package func deliver(_ order: Order) async throws(OrderRefusal) -> Order {
        do {
            let handOver = try await delivery.prepare(order)
            return try await store.deliver(order, handOver)
        } catch let error as OrderRefusal {
            if case .changed = error { throw error }
            try await store.postponeDelivery(of: order, problem: "\(error)")
            throw error
        } catch {
            let problem = PlainText("\(error)", limit: 500).value
            try await store.postponeDelivery(of: order, problem: problem)
            throw .delivery(problem)
        }
    }

    private func doing(
        _ sweep: inout Sweep, _ count: WritableKeyPath<Sweep, Int>,
        _ act: () async throws(OrderRefusal) -> some Any
    ) async throws(OrderRefusal) {
        sweep[keyPath: count] += 1
        do { _ = try await act() } catch {
            switch error {
            // One order does not stop the others; a library that cannot be written does.
            case .library(let problem): throw .library(problem)
            case .changed: break
            default: if sweep.problems.count < 10 { sweep.problems.append("\(error)") }
            }
        }
    }
}
