/// Which job is begun next, and on how many threads.
///
/// Long files first, so that the last ones to run are short; a file that alone is longer than what is left for a core,
/// and the last ones while cores would be idle, are encoded on several threads. All encoders together use no more than
/// three threads per core, and one on several threads keeps about 9 MiB per thread, so memory has a bound per core.
///
/// The order is that of blocks of the list, long first within each, so that results, which are told in the order of the
/// list, wait in a buffer of bounded size.
package struct BatchSchedule: Sendable {
    package struct Job: Hashable, Sendable {
        /// Its place in the list.
        package var index: Int
        package var threads: Int

        package init(index: Int, threads: Int) {
            self.index = index
            self.threads = threads
        }
    }

    /// Files that are ordered together.
    package static let block = 1024
    /// A result waits for at most that many before it in the list.
    package static let farthest = 16 * block
    /// Shorter files are not worth several threads: the seams between two cost some three seconds of audio each.
    package static let shortest = 30.0

    private let cores: Int
    private let maySplit: Bool
    private let seconds: [Int: Double]
    private let long: Set<Int>
    /// What is to be begun, the next one last.
    private var waiting: [Int]
    private var running: [Int: Int] = [:]

    /// - Parameters:
    ///   - files: their places in the list and their lengths in seconds, as far as they are known.
    ///   - cores: jobs at once, 1 or more.
    ///   - maySplit: whether an encoder on several threads keeps a bounded part of its signal.
    package init(_ files: [(index: Int, seconds: Double)], cores: Int, maySplit: Bool) {
        precondition(cores >= 1)
        self.cores = cores
        self.maySplit = maySplit && cores > 1
        var rest = files.reduce(0) { $0 + $1.seconds }
        var long: [Int] = []
        for file in files.sorted(by: { ($1.seconds, $0.index) < ($0.seconds, $1.index) }) {
            guard cores > 1, file.seconds > Self.shortest, file.seconds > rest / Double(cores) else { break }
            long.append(file.index)
            rest -= file.seconds
        }
        let first = Set(long)
        let others = files.filter { !first.contains($0.index) }.sorted { $0.index < $1.index }
        let blocks = stride(from: 0, to: others.count, by: Self.block).map { start in
            others[start..<min(start + Self.block, others.count)].sorted {
                ($1.seconds, $0.index) < ($0.seconds, $1.index)
            }
        }
        waiting = (long + blocks.joined().map(\.index)).reversed()
        self.long = first
        seconds = Dictionary(files.map { ($0.index, $0.seconds) }, uniquingKeysWith: { first, _ in first })
    }

    package var isEmpty: Bool { waiting.isEmpty }

    /// The next job, begun; nil when all places are taken, nothing is left, or too many results wait for an earlier one.
    ///
    /// - Parameter told: results told so far: all before that place in the list.
    package mutating func next(told: Int) -> Job? {
        guard running.count < cores, let index = waiting.last else { return nil }
        guard index < told + Self.farthest || long.contains(index) || running.isEmpty else { return nil }
        waiting.removeLast()
        let isLast = waiting.count < cores - 1
        let spare = 2 * cores - running.values.reduce(0) { $0 + ($1 > 1 ? $1 : 0) }
        var threads = 1
        if maySplit, long.contains(index) || isLast, (seconds[index] ?? 0) > Self.shortest {
            threads = max(1, min(cores, spare))
        }
        running[index] = threads
        return Job(index: index, threads: threads)
    }

    package mutating func finish(_ index: Int) { running[index] = nil }
}
