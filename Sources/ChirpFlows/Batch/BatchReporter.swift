internal import ChirpAudio

/// Tells what became of the files in the order of the list, and counts it.
package struct BatchReporter {
    package private(set) var summary: BatchSummary
    private let list: WorkList
    private let isDryRun: Bool
    private let report: @Sendable (BatchEvent) -> Bool
    private var ready = OrderedResults<BatchResult.Outcome>()

    package init(list: WorkList, isDryRun: Bool, report: @escaping @Sendable (BatchEvent) -> Bool) {
        self.list = list
        self.isDryRun = isDryRun
        self.report = report
        summary = BatchSummary()
        summary.files = list.items.count
        summary.probed = list.probed
        summary.deferred = list.deferred
    }

    /// All files before this place in the list have been told.
    package var told: Int { ready.next }

    /// Takes what a job has come to.
    package mutating func add(_ outcome: BatchResult.Outcome, at index: Int) throws(BatchFailure) {
        ready.add(outcome, at: index)
        try tell()
    }

    /// Tells what is ready.
    package mutating func tell() throws(BatchFailure) {
        while told < list.items.count {
            let index = told
            if let outcome = outcomeWithoutJob(list.items[index]) {
                ready.skip()
                try tell(outcome, index)
            } else if let outcome = ready.take() {
                try tell(outcome, index)
            } else {
                return
            }
        }
    }

    /// When a run ends early: tells also what is ready behind files that will not come.
    package mutating func tellRest() throws(BatchFailure) {
        for (index, outcome) in ready.takeAll() { try tell(outcome, index) }
    }

    private func outcomeWithoutJob(_ item: WorkList.Item) -> BatchResult.Outcome? {
        switch item.decision {
        case .unchanged: .unchanged
        case .ignored(let reason): .ignored(reason)
        case .failed(let error): .failed(error)
        case .make: isDryRun ? .planned : nil
        }
    }

    private mutating func tell(_ outcome: BatchResult.Outcome, _ index: Int) throws(BatchFailure) {
        let item = list.items[index]
        var result = BatchResult(index: index, path: item.path, output: item.output, outcome: outcome)
        if case .failed(.nothingToHear(_, let reason)) = outcome { result.outcome = .silent(reason) }
        summary.count(result)
        guard report(.file(result)) else { throw .unheard }
    }
}
