internal import ChirpAudio
internal import ChirpClips
internal import ChirpCore
internal import ChirpMP3

/// Carries out a list: jobs at once, results in order.
package struct BatchRun: Sendable {
    package let ports: BatchPorts
    package let request: BatchRequest
    package let source: SourceFolder
    /// Nil for a dry run.
    package let target: OutputFolder?
    package let key: BatchKey
    package let list: WorkList

    /// A disk that is slower than the encoders ends up being waited for.
    private static let mostPlacing = 16

    /// Half of a job is over.
    private enum Turn: Sendable {
        case made(BatchJob, Result<BatchJob.Made, BatchJob.Failure>)
        case placed(Int, Result<BatchJob.Done, BatchJob.Failure>)
    }

    func run() async throws(BatchFailure) -> BatchSummary {
        let tasks = list.tasks
        let total = BatchProgress(files: tasks.count, seconds: tasks.reduce(0) { $0 + $1.seconds })
        guard ports.report(.listed(total)) else { throw .unheard }
        var telling = BatchReporter(list: list, isDryRun: target == nil, report: ports.report)
        try telling.tell()
        guard let target else { return telling.summary }

        let meter = BatchMeter(total, uptime: ports.uptime)
        // A variable rate keeps the whole signal when several threads encode it.
        var maySplit = false
        if case .constant = request.clip.settings.rate { maySplit = true }
        var schedule = BatchSchedule(tasks, cores: request.clip.jobs, maySplit: maySplit)
        var hashed = 0
        var isStopping = false
        var ending: BatchFailure?

        // Clips on their way to the disk, while others are being made: a processor does not wait for the disk.
        var placing = 0
        await withTaskGroup(of: Turn.self) { group in
            func beginMore() {
                while !isStopping, placing <= Self.mostPlacing, let next = schedule.next(told: telling.told) {
                    guard let job = job(next, target: target, meter: meter) else { continue }
                    group.addTask { .made(job, await job.make()) }
                }
            }
            func stop(_ failure: BatchFailure?) {
                if !isStopping { ending = failure }
                isStopping = true
                group.cancelAll()
            }
            func take(_ outcome: Result<BatchResult.Outcome, BatchJob.Failure>, at index: Int) {
                do throws(BatchFailure) {
                    switch outcome {
                    case .success(let outcome): try telling.add(outcome, at: index)
                    case .failure(.file(let error)):
                        try telling.add(.failed(error), at: index)
                        if request.failsFast, !error.isSilence { stop(nil) }
                    case .failure(.batch(let failure)): stop(failure)
                    }
                } catch { stop(error) }
            }
            if request.failsFast, !telling.summary.failures.isEmpty { stop(nil) }
            beginMore()
            while let turn = await group.next() {
                switch turn {
                case .made(let job, let result):
                    schedule.finish(job.index)
                    switch result {
                    case .success(let made):
                        placing += 1
                        // Not cancelled with the others: what is made is kept.
                        let place = Task { await job.place(made) }
                        group.addTask { .placed(job.index, await place.value) }
                    case .failure(let failure): take(.failure(failure), at: job.index)
                    }
                case .placed(let index, let result):
                    placing -= 1
                    if case .success(let done) = result, done.isHashed { hashed += 1 }
                    take(result.map(\.outcome), at: index)
                }
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
            request: request, source: source, target: target, key: key, meter: meter)
    }
}
