import ChirpCore
import ChirpDevices
import Testing

@Suite struct ReconnectionTests {
    private let begin = ContinuousClock.now

    @Test func `waits grow, stay under the cap, and end with the patience`() {
        let policy = RetryPolicy(base: .milliseconds(100), cap: .seconds(2), attempts: .max)
        var reconnection = Reconnection(policy: policy, patience: .seconds(30))
        reconnection.lost(at: begin)
        var now = begin
        var waits: [Duration] = []
        while let wait = reconnection.failed(at: now, jitter: 0.999) {
            waits.append(wait)
            now += wait
        }
        #expect(now - begin == .seconds(30))
        #expect(waits[0] < waits[1] && waits[1] < waits[2])
        #expect(waits.allSatisfy { $0 <= .seconds(2) })
        #expect(waits.count >= 15)
    }

    @Test func `getting it back tells how long it was gone and starts afresh`() {
        var reconnection = Reconnection(
            policy: RetryPolicy(base: .seconds(1), cap: .seconds(8), attempts: .max), patience: .seconds(60))
        reconnection.lost(at: begin)
        reconnection.lost(at: begin + .seconds(1))
        #expect(reconnection.isLost)
        _ = reconnection.failed(at: begin + .seconds(2), jitter: 0.5)
        _ = reconnection.failed(at: begin + .seconds(3), jitter: 0.5)
        #expect(reconnection.succeeded(at: begin + .seconds(5)) == .seconds(5))
        #expect(!reconnection.isLost)
        #expect(reconnection.failed(at: begin + .seconds(100), jitter: 0.5) == .milliseconds(500))
    }
}
