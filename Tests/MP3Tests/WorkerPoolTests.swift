import ChirpAudio
import ChirpCodecs
import ChirpMP3
import Synchronization
import Testing

/// W-9: work items beside the thread that submits them, and the encoder that shares their threads.
struct WorkerPoolTests {
    static let format = AudioFormat(sampleRate: 44100, channels: 1)

    @Test(arguments: 0...3)
    func `every item is run once`(threads: Int) throws {
        for most in [nil, 0, 7, 1000] {
            let runs = Mutex([Int](repeating: 0, count: 100))
            let pool = try WorkerPool(threads: threads, mostWaiting: most)
            for index in 0..<100 { pool.submit { _ in runs.withLock { $0[index] += 1 } } }
            pool.finish()
            #expect(runs.withLock { $0 } == [Int](repeating: 1, count: 100))
        }
    }

    @Test func `one long item lets the others go on in their order`() throws {
        let order = Mutex<[Int]>([])
        let long = LongItem()
        let pool = try WorkerPool(threads: 1)
        long.start(in: pool)
        for index in 0..<50 { pool.submit { _ in order.withLock { $0.append(index) } } }
        // At most one may wait behind the long one: the caller has run the rest.
        let done = order.withLock { $0 }
        #expect(done.count >= 48)
        #expect(done == Array(0..<done.count))
        long.release()
        pool.finish()
        #expect(order.withLock { $0.sorted() } == Array(0..<50))
    }

    @Test func `as many items wait as are allowed to`() throws {
        let runs = Counter()
        let long = LongItem()
        let pool = try WorkerPool(threads: 1, mostWaiting: 10)
        long.start(in: pool)
        for _ in 0..<12 { pool.submit { _ in runs.add() } }
        #expect(runs.count == 2)
        long.release()
        pool.finish()
        #expect(runs.count == 12)
    }

    @Test func `items under way learn that nobody waits any more, and those that wait are dropped`() throws {
        let (runs, long) = (Counter(), LongItem())
        func begin() throws {
            let pool = try WorkerPool(threads: 1, mostWaiting: 5)
            long.start(in: pool)
            for _ in 0..<5 { pool.submit { _ in runs.add() } }
        }
        try begin()
        #expect(long.hasLearnt)
        #expect(runs.count == 0)
    }

    @Test(arguments: [2, 3, 5])
    func `an encoder that is dropped early leaves its threads to the items`(threads: Int) throws {
        let planes = MP3TestSignal.speech.planes(frames: 400_000, format: Self.format)
        let settings = MP3Settings(rate: .constant(kbps: 64))
        for shortest in [1, 2] {
            let (runs, long) = (Counter(), LongItem())
            let pool = try WorkerPool(threads: threads, mostWaiting: 1000)
            long.start(in: pool)
            func begin() throws {
                var sink = ParallelSink(
                    encoder: try ParallelMP3Encoder(
                        format: Self.format, settings: settings, pool: pool, expectedFrames: planes[0].count,
                        shortest: shortest))
                try feed(planes, format: Self.format, to: &sink)
                for _ in 0..<100 { pool.submit { _ in runs.add() } }
            }
            try begin()
            long.release()
            pool.finish()
            #expect(runs.count == 100)
        }
    }

    @Test func `encoders follow each other in one pool, with items between`() throws {
        let planes = MP3TestSignal.music.planes(frames: 600_000, format: Self.format)
        let settings = MP3Settings(rate: .average(kbps: 96))
        var serial = StreamSink(encoder: try MP3Encoder(format: Self.format, settings: settings))
        try feed(planes, format: Self.format, to: &serial)
        let expected = try serial.close()
        let pool = try WorkerPool(threads: 2, mostWaiting: 1000)
        let runs = Counter()
        for _ in 0..<3 {
            var sink = ParallelSink(
                encoder: try ParallelMP3Encoder(
                    format: Self.format, settings: settings, pool: pool, expectedFrames: planes[0].count))
            for _ in 0..<50 { pool.submit { _ in runs.add() } }
            try feed(planes, format: Self.format, to: &sink)
            let isSame = try sink.close().bytes == expected
            #expect(isSame)
        }
        pool.finish()
        #expect(runs.count == 150)
    }

    @Test func `an encoder that cannot be made fails, and the items are run`() throws {
        let runs = Counter()
        let pool = try WorkerPool(threads: 2, mostWaiting: 1000)
        let long = LongItem()
        long.start(in: pool)
        for _ in 0..<100 { pool.submit { _ in runs.add() } }
        // No such rate exists: the threads find out, once they come to it.
        #expect(throws: AudioError.self) {
            _ = try ParallelMP3Encoder(
                format: Self.format, settings: MP3Settings(rate: .constant(kbps: 63)), pool: pool, expectedFrames: nil)
        }
        long.release()
        pool.finish()
        #expect(runs.count == 100)
    }

    @Test(arguments: [2, 4])
    func `an encoder that begins again with one thread leaves the others to the items`(threads: Int) throws {
        // Loud noise wants more than the highest rate, so that packing and sound depend on each other.
        let format = AudioFormat(sampleRate: 44100, channels: 2)
        let settings = MP3Settings(rate: .variable(quality: 0))
        var planes = MP3TestSignal.music.planes(frames: 49 * 1152 * 8, format: format)
        for channel in 0..<2 {
            var noise = MP3TestNoise(seed: UInt64(channel + 1))
            for index in planes[channel].indices where index / 30000 % 3 > 0 { planes[channel][index] = noise.next() }
        }
        var serial = StreamSink(encoder: try MP3Encoder(format: format, settings: settings))
        try feed(planes, format: format, to: &serial)
        let expected = try serial.close()
        let (runs, long) = (Counter(), LongItem())
        let pool = try WorkerPool(threads: threads, mostWaiting: 1000)
        var sink = ParallelSink(
            encoder: try ParallelMP3Encoder(
                format: format, settings: settings, pool: pool, expectedFrames: planes[0].count))
        try feed(planes, format: format, to: &sink)
        for _ in 0..<100 { pool.submit { _ in runs.add() } }
        let (bytes, history) = try sink.close()
        #expect(bytes == expected && history.beganAgain)
        // Every thread is free again, whatever it did.
        long.start(in: pool)
        long.release()
        pool.finish()
        #expect(runs.count == 100)
    }
}

private final class Counter: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .sequentiallyConsistent) }

    func add() { number.add(1, ordering: .sequentiallyConsistent) }
}

/// An item that runs until it is released or is not wanted any more.
private final class LongItem: Sendable {
    private let isRunning = Atomic(false)
    private let isReleased = Atomic(false)
    private let learnt = Atomic(false)

    var hasLearnt: Bool { learnt.load(ordering: .acquiring) }

    /// Returns when it runs, on a thread of the pool.
    func start(in pool: WorkerPool) {
        pool.submit { [self] isUnwanted in
            isRunning.store(true, ordering: .releasing)
            while !isReleased.load(ordering: .acquiring) {
                if isUnwanted() { return learnt.store(true, ordering: .releasing) }
            }
        }
        while !isRunning.load(ordering: .acquiring) {}
    }

    func release() { isReleased.store(true, ordering: .releasing) }
}
