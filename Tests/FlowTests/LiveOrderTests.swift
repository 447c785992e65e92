import ChirpFlows
import ChirpTestKit
import Testing

/// CH-10, W-6: order and patience, over any interleaving of arrivals, delays and failures, with a clock turned by hand.
@Suite struct LiveOrderTests {
    /// One clip of a simulated session, times in milliseconds.
    private struct Clip {
        let arrives: Int
        /// How long its fetch takes; nil when it fails after `delay`.
        let delay: Int
        let fails: Bool
        let length: Int
    }

    private struct Outcome {
        var played: [Int] = []
        var playedAt: [Int: Int] = [:]
        var readyAt: [Int: Int] = [:]
        var steppedAside: Set<Int> = []
        var givenUp: Set<Int> = []
        var mostFetches = 0
        /// Times of silence with a clip ready.
        var longestWait = 0
    }

    /// Runs a session event by event.
    private static func simulate(_ clips: [Clip], rules: OrderedPrefetch<Int>.Rules) -> Outcome {
        var queue = OrderedPrefetch<Int>(rules: rules)
        var outcome = Outcome()
        var now = 0
        var fetches: [Int: Int] = [:]  // clip: when it ends
        var playing: (clip: Int, until: Int)?
        var silentSince = 0
        var next = 0
        let arrivals = clips.indices.sorted { (clips[$0].arrives, $0) < (clips[$1].arrives, $1) }
        for _ in 0..<100_000 {
            for step in queue.steps(at: .milliseconds(now)) {
                switch step {
                case .fetch(let id):
                    fetches[id] = now + clips[id].delay
                case .play(let id):
                    #expect(playing == nil)
                    playing = (id, now + clips[id].length)
                    outcome.played.append(id)
                    outcome.playedAt[id] = now
                    if let ready = outcome.readyAt[id] {
                        outcome.longestWait = max(outcome.longestWait, now - max(ready, silentSince))
                    }
                    // Whoever arrived earlier and still fetches has stepped aside.
                    for other in fetches.keys where Self.precedes(other, id, clips) {
                        outcome.steppedAside.insert(other)
                    }
                case .giveUp(let id):
                    outcome.givenUp.insert(id)
                    fetches[id] = nil
                }
            }
            outcome.mostFetches = max(
                outcome.mostFetches, fetches.count - outcome.steppedAside.intersection(fetches.keys).count)
            var times = [
                fetches.values.min(), playing?.until, next < arrivals.count ? clips[arrivals[next]].arrives : nil,
            ]
            .compactMap { $0 }
            if let deadline = queue.nextDeadline {
                times.append(Int((deadline / .milliseconds(1)).rounded(.up)))
            }
            guard let time = times.min() else { return outcome }
            now = max(now, time)
            while next < arrivals.count, clips[arrivals[next]].arrives <= now {
                let isTaken = queue.arrived(arrivals[next])
                #expect(isTaken)
                next += 1
            }
            for (id, end) in fetches.sorted(by: { $0.key < $1.key }) where end <= now {
                fetches[id] = nil
                if clips[id].fails {
                    queue.dropped(id)
                } else {
                    outcome.readyAt[id] = now
                    queue.fetched(id)
                }
            }
            if let current = playing, current.until <= now {
                playing = nil
                silentSince = now
                queue.played(current.clip, at: .milliseconds(now))
            }
        }
        Issue.record("the session does not end")
        return outcome
    }

    private static func precedes(_ one: Int, _ other: Int, _ clips: [Clip]) -> Bool {
        (clips[one].arrives, one) < (clips[other].arrives, other)
    }

    @Test(arguments: 0..<400)
    func `each clip is played once, in order, and silence never lasts longer than the patience`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) + 0x1234_5678)
        var rules = OrderedPrefetch<Int>.Rules()
        rules.width = Int.random(in: 1...4, using: &generator)
        let slow = Int.random(in: 0...40_000, using: &generator)
        let clips = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
            Clip(
                arrives: Int.random(in: 0...60_000, using: &generator),
                delay: Int.random(in: 1...max(1, slow), using: &generator),
                fails: Int.random(in: 0..<8, using: &generator) == 0,
                length: Int.random(in: 1...6000, using: &generator))
        }
        let outcome = Self.simulate(clips, rules: rules)
        // Each once; missing are only those that failed or were given up.
        #expect(Set(outcome.played).count == outcome.played.count)
        let expected = Set(clips.indices.filter { !clips[$0].fails }).subtracting(outcome.givenUp)
        #expect(Set(outcome.played) == expected)
        // In order of arrival, but for those that stepped aside.
        let punctual = outcome.played.filter { !outcome.steppedAside.contains($0) }
        #expect(punctual == punctual.sorted { Self.precedes($0, $1, clips) })
        #expect(outcome.longestWait <= 10_000)
    }

    @Test func `downloads that end in the opposite order do not change the order of playing`() {
        let clips = (0..<10).map { Clip(arrives: $0, delay: 5000 - $0 * 400, fails: false, length: 100) }
        var rules = OrderedPrefetch<Int>.Rules()
        rules.width = 10
        let outcome = Self.simulate(clips, rules: rules)
        #expect(outcome.played == Array(0..<10))
        #expect(outcome.steppedAside.isEmpty)
    }

    @Test func `a slow clip holds the queue for the patience, then plays when it is there`() {
        let clips = [
            Clip(arrives: 0, delay: 14_000, fails: false, length: 1000),
            Clip(arrives: 10, delay: 100, fails: false, length: 3000),
            Clip(arrives: 20, delay: 100, fails: false, length: 3000),
        ]
        let outcome = Self.simulate(clips, rules: OrderedPrefetch<Int>.Rules())
        #expect(outcome.played == [1, 0, 2] || outcome.played == [1, 2, 0])
        #expect(outcome.playedAt[1] == 10_000)
        // It is ready at 14 s, while the third has not ended or begun: it plays at the next silence.
        #expect(outcome.playedAt[0] == 16_000)
    }

    @Test func `slow clips in the same silence hold it together only once`() {
        let clips =
            (0..<3).map { Clip(arrives: $0, delay: 60_000, fails: false, length: 1000) }
            + [Clip(arrives: 5, delay: 50, fails: false, length: 1000)]
        var rules = OrderedPrefetch<Int>.Rules()
        rules.width = 4
        let outcome = Self.simulate(clips, rules: rules)
        #expect(outcome.played.first == 3)
        #expect((outcome.playedAt[3] ?? .max) <= 10_010)
    }

    @Test func `a fetch that never ends does not stop the others`() {
        // Twelve that hang: more than may stand aside, so the oldest are given up and the good ones play.
        let hanging = (0..<12).map { Clip(arrives: $0, delay: 10_000_000, fails: true, length: 1) }
        let good = (12..<20).map { Clip(arrives: $0, delay: 10, fails: false, length: 10) }
        let outcome = Self.simulate(hanging + good, rules: OrderedPrefetch<Int>.Rules())
        #expect(outcome.played == Array(12..<20))
        #expect(outcome.givenUp.count == 4)
    }

    @Test func `no more fetches run than the width allows, and no more clips are held than the rules say`() {
        var queue = OrderedPrefetch<Int>(rules: OrderedPrefetch<Int>.Rules())
        let taken = (0..<1000).count { queue.arrived($0) }
        #expect(taken == 1000)
        let isTakenTwice = queue.arrived(5)
        #expect(!isTakenTwice)
        var fetching = queue.steps(at: .zero)
        #expect(fetching == [.fetch(0), .fetch(1), .fetch(2)])
        // The first plays for ever; the others are fetched ahead of it up to the bound.
        var fetched = 0
        while !fetching.isEmpty {
            for step in fetching {
                if case .fetch(let id) = step {
                    queue.fetched(id)
                    fetched += 1
                }
            }
            fetching = queue.steps(at: .seconds(1)).filter { if case .fetch = $0 { true } else { false } }
        }
        #expect(fetched == queue.rules.ahead + 1)
        #expect(queue.count == 999)
    }
}
