import ChirpCore
import ChirpFlows
import ChirpJournal
import ChirpNetworks
import ChirpStores
import ChirpTestKit
import Foundation
import Synchronization
import Testing

@Suite struct RoomTests {
    private func record(_ id: String, bytes: Int64?, age: Double, state: PublicationState = .done) -> PublicationRecord
    {
        var record = PublicationRecord(
            id: id, state: state, inputSHA256: "", settingsSHA256: "", inputName: "", inputPath: "", order: "",
            storeName: "memory", networkName: "none", created: Date(timeIntervalSince1970: -age))
        record.clipBytes = bytes
        return record
    }

    @Test(arguments: [
        (Int64(1), ["oldest"], true), (100, ["oldest"], true), (101, ["oldest", "middle"], true),
        (600, ["oldest", "middle", "newest"], true), (601, ["oldest", "middle", "newest"], false), (0, [], true),
        (-5, [], true),
    ])
    func `the oldest go first, and no more than needed`(missing: Int64, expected: [String], suffices: Bool) {
        let plan = RoomPlan(
            missing: ByteCount(missing),
            published: [
                record("newest", bytes: 300, age: 1), record("oldest", bytes: 100, age: 9),
                record("middle", bytes: 200, age: 5), record("open", bytes: 900, age: 99, state: .stored),
                record("unknown", bytes: nil, age: 99),
            ])
        #expect(plan.removals == expected)
        #expect(plan.suffices == suffices)
    }

    @Test func `room is made for a clip that did not fit, and it then fits`() async throws {
        let world = try World(limit: 2 * World.clipBytes + 1)
        for words in ["one", "two"] {
            var request = try world.request()
            request.words = words
            _ = try await world.publish(request)
            world.wait(1)
        }
        guard case .store(.full(let needed, let free?)) = await world.failure(try world.request(), world.ports()) else {
            Issue.record("it fits")
            return
        }
        let pauses = Mutex(0)
        let report = try await Sweep(world.ports()).makeRoom(for: needed, free: free, in: world.store.properties) {
            pauses.withLock { $0 += 1 }
        }
        #expect(report.expired.count == 1)
        #expect(pauses.withLock { $0 } == 0)  // between removals, not before the first
        #expect(world.network.posts.map { $0.text.prefix(3) } == ["two"])
        _ = try await world.publish(world.request())
        #expect(world.store.objects.count == 2)
    }

    @Test func `when all clips together would not be enough, none is removed`() async throws {
        let world = try World()
        _ = try await world.publish(world.request())
        let full = PublishFailure.store(.full(needed: ByteCount(5000), free: ByteCount(0)))
        await #expect(throws: full) {
            _ = try await Sweep(world.ports()).makeRoom(
                for: ByteCount(5000), free: ByteCount(0), in: world.store.properties)
        }
        #expect(try await world.violations() == [])
    }

    @Test func `clips of another store are left alone`() async throws {
        let world = try World()
        _ = try await world.publish(world.request())
        let other = StoreProperties(name: "memory", place: "elsewhere", canShare: true)
        await #expect(throws: PublishFailure.self) {
            _ = try await Sweep(world.ports()).makeRoom(for: ByteCount(1000), free: ByteCount(0), in: other)
        }
        #expect(try await world.violations() == [])
    }
}
