internal import ChirpAudio
internal import ChirpClips
internal import ChirpCodecs
internal import ChirpCore

/// Carries out a list: jobs at once, results in order.
package struct BatchRun: Sendable {
    package let ports: BatchPorts
    package let order: BatchOrder
    package let source: SourceFolder
    /// Nil for a dry run.
    package let target: OutputFolder?
    package let key: BatchKey
    package let list: WorkList

    private struct Finished: Sendable {
        var index: Int
        var result: Result<BatchJob.Done, BatchJob.Failure>
    }

    func run() async throws(BatchFailure) -> BatchSummary {
        let tasks = list.tasks
        let total = BatchPace(files: tasks.count, seconds: tasks.reduce(0) { $0 + $1.seconds })
        guard ports.report(.listed(total)) else { throw .unheard }
        var telling = BatchTelling(list: list, isDryRun: target == nil, report: ports.report)
        try telling.tell()
        guard let target else { return telling.summary }

        let meter = BatchMeter(total, uptime: ports.uptime)
        // A variable rate keeps the whole signal when several threads encode it.
        var maySplit = false
        if case .constant = order.clip.settings.rate { maySplit = true }
        var schedule = BatchSchedule(tasks, cores: order.clip.jobs, maySplit: maySplit)
        var hashed = 0
        var isStopping = false
        var ending: BatchFailure?

        await withTaskGroup(of: Finished.self) { group in
            func beginMore() {
                while !isStopping, let next = schedule.next(told: telling.told) {
                    guard let job = job(next, target: target, meter: meter) else { continue }
                    group.addTask { Finished(index: next.index, result: await job.run()) }
                }
            }
            func stop(_ failure: BatchFailure?) {
                if !isStopping { ending = failure }
                isStopping = true
                group.cancelAll()
            }
            if order.failsFast, !telling.summary.failures.isEmpty { stop(nil) }
            beginMore()
            while let finished = await group.next() {
                schedule.finish(finished.index)
                do throws(BatchFailure) {
                    switch finished.result {
                    case .success(let done):
                        if done.isHashed { hashed += 1 }
                        try telling.add(done.outcome, at: finished.index)
                    case .failure(.file(let error)):
                        try telling.add(.failed(error), at: finished.index)
                        if order.failsFast { stop(nil) }
                    case .failure(.batch(let failure)): stop(failure)
                    }
                } catch { stop(error) }
                if Task.isCancelled { stop(.cancelled) }
                beginMore()
            }
        }
        if ending != .unheard { try telling.tellRest() }
        if let ending { throw ending }
        var summary = telling.summary
        summary.hashed = hashed
        return summary
    }

    private func job(_ next: BatchSchedule.Job, target: OutputFolder, meter: BatchMeter) -> BatchJob? {
        let item = list.items[next.index]
        guard let output = item.output, case .make(let making) = item.decision else { return nil }
        return BatchJob(
            index: next.index, threads: next.threads, path: item.path, output: output, making: making, ports: ports,
            order: order, source: source, target: target, key: key, meter: meter)
    }
}
