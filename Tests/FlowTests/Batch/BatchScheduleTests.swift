import ChirpFlows
import ChirpTestKit
import Testing

// W-8.
@Suite struct BatchScheduleTests {
    /// Runs all jobs on cores that share their time, and tells when each began, on how many threads, and the end.
    private func run(_ lengths: [Double], cores: Int, maySplit: Bool = true) -> (
        begun: [BatchSchedule.Job], end: Double
    ) {
        var schedule = BatchSchedule(
            lengths.enumerated().map { ($0.offset, $0.element) }, cores: cores, maySplit: maySplit)
        var begun: [BatchSchedule.Job] = []
        var left: [Int: (threads: Int, seconds: Double)] = [:]
        var told = Set<Int>()
        var time = 0.0
        while true {
            let next = (0..<lengths.count).first { !told.contains($0) } ?? lengths.count
            while let job = schedule.next(told: next) {
                begun.append(job)
                left[job.index] = (job.threads, lengths[job.index])
            }
            guard !left.isEmpty else { return (begun, time) }
            let threads = left.values.reduce(0) { $0 + $1.threads }
            let share = min(1, Double(cores) / Double(threads))
            func rate(_ threads: Int) -> Double { Double(threads) * share }
            guard
                let first = left.min(by: {
                    $0.value.seconds / rate($0.value.threads) < $1.value.seconds / rate($1.value.threads)
                })
            else { continue }
            let step = first.value.seconds / rate(first.value.threads)
            time += step
            for (index, job) in left { left[index] = (job.threads, job.seconds - step * rate(job.threads)) }
            left[first.key] = nil
            told.insert(first.key)
            schedule.finish(first.key)
        }
    }

    @Test func `long files come first`() {
        let begun = run([1, 5, 3, 4, 2], cores: 2).begun
        #expect(begun.map(\.index) == [1, 3, 2, 4, 0])
        #expect(begun.allSatisfy { $0.threads == 1 })
    }

    @Test(arguments: [
        ([3600.0] + Array(repeating: 10, count: 20), 2), ([600, 600, 600], 2), ([600, 600, 600, 600, 600], 4),
        ([7200, 3600, 60, 60], 4), ([100], 8), ([50, 400, 60, 45, 300, 200, 90], 3),
    ])
    func `the last job does not run alone`(lengths: [Double], cores: Int) {
        let ideal = lengths.reduce(0, +) / Double(cores)
        #expect(run(lengths, cores: cores).end < ideal * 1.25)
    }

    @Test func `an encoder that keeps its whole signal gets one thread`() {
        #expect(run([3600, 10], cores: 4, maySplit: false).begun.allSatisfy { $0.threads == 1 })
    }

    @Test func `no more than three threads per core are in use`() {
        var random = SeededGenerator(seed: 6)
        for cores in [1, 2, 3, 8] {
            let lengths = (0..<200).map { _ in Double.random(in: 1...4000, using: &random) }
            var schedule = BatchSchedule(
                lengths.enumerated().map { ($0.offset, $0.element) }, cores: cores, maySplit: true)
            var running: [BatchSchedule.Job] = []
            var begun = 0
            while true {
                while let job = schedule.next(told: 0) { running.append(job); begun += 1 }
                #expect(running.count <= cores)
                #expect(running.reduce(0) { $0 + $1.threads } <= 3 * cores)
                guard let index = running.indices.randomElement(using: &random) else { break }
                schedule.finish(running.remove(at: index).index)
            }
            #expect(begun == lengths.count)
        }
    }

    @Test func `results wait in a bounded buffer, whatever the lengths`() {
        let count = 3 * BatchSchedule.farthest
        // The first file ends last; everything behind it could be done long before.
        var schedule = BatchSchedule((0..<count).map { ($0, $0 == 0 ? 2 : 1) }, cores: 2, maySplit: false)
        guard let first = schedule.next(told: 0) else { return }
        #expect(first.index == 0)
        var begun = 0
        while let job = schedule.next(told: 0) {
            #expect(job.index < BatchSchedule.farthest)
            schedule.finish(job.index)
            begun += 1
        }
        #expect(begun == BatchSchedule.farthest - 1)
        schedule.finish(0)
        #expect(schedule.next(told: BatchSchedule.farthest) != nil)
    }

    @Test func `results come back into order`() {
        var random = SeededGenerator(seed: 2)
        var ordered = OrderedResults<Int>()
        var taken: [Int] = []
        for index in (0..<100).filter({ $0 != 50 }).shuffled(using: &random) {
            ordered.add(index, at: index)
            while let value = ordered.take() { taken.append(value) }
        }
        #expect(taken == Array(0..<50))
        ordered.skip()
        #expect(ordered.take() == 51)
        #expect(ordered.takeAll().map(\.value) == Array(52..<100))
        #expect(ordered.count == 0)
    }
}
