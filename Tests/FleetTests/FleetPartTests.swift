import ChirpClips
import ChirpFleet
import Foundation
import Testing

/// A job for a part of a recording.
@Suite struct FleetPartTests {
    private func job(begin: Duration?, end: Duration?) -> FleetJob {
        let plain = FleetJob.sample(1)
        var order = plain.order
        (order.policy.begin, order.policy.end) = (begin, end)
        return FleetJob(
            id: plain.id, batch: plain.batch, name: plain.name, sha256: plain.sha256, bytes: plain.bytes,
            source: plain.source, target: plain.target, order: order, keepsTags: false)
    }

    @Test func `only a job for a part has a version that earlier workers refuse`() throws {
        #expect(FleetJob.sample(1).v == 1)
        for part in [job(begin: .seconds(1), end: nil), job(begin: nil, end: .seconds(2))] {
            #expect(part.v == 2 && part.defect == nil)
            let told = try JSONDecoder().decode(FleetJob.self, from: JSONEncoder().encode(part))
            #expect(told == part)
        }
        var later = FleetJob.sample(1)
        later.v = 3
        #expect(later.defect?.contains("version is 3") == true)
        later.v = 0
        #expect(later.defect != nil)
    }

    @Test func `a part that cannot be is a defect`() {
        #expect(job(begin: .seconds(-1), end: nil).defect == "its part is out of range")
        #expect(job(begin: nil, end: .seconds(1_000_001)).defect == "its part is out of range")
    }
}
