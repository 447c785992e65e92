import ChirpCore
import ChirpFlows
import ChirpJournal
import Foundation
import Testing

/// CH-12: clips are kept for a stated time, then cleaned up.
@Suite struct LiveRetentionTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func held(_ id: PlayID, daysOld: Double, bytes: Int64 = 100, busy: Bool = false) -> Retention.Held {
        Retention.Held(id: id, bytes: bytes, fetched: now - daysOld * 86_400, isBusy: busy)
    }

    @Test func `clips go after their time, the list knows when, and busy ones stay`() {
        let rules = Retention()
        let clips = [held(1, daysOld: 8), held(2, daysOld: 6.9), held(3, daysOld: 9, busy: true), held(4, daysOld: 7)]
        #expect(Set(rules.expired(of: clips, now: now)) == [1, 4])
        #expect(rules.expiry(ofFetched: clips[1].fetched) > now)
    }

    @Test func `the oldest go first when the room is too small, with room for what comes`() {
        var rules = Retention()
        rules.limit = ByteCount(Int64(350))
        let clips = [held(3, daysOld: 1), held(1, daysOld: 3), held(2, daysOld: 2), held(4, daysOld: 0)]
        #expect(rules.expired(of: clips, now: now) == [1])
        #expect(rules.expired(of: clips, now: now, coming: 100) == [1, 2])
        #expect(rules.expired(of: [], now: now) == [])
    }
}
