import ChirpFlows
import ChirpJournal
import ChirpNetworks
import ChirpStores
import ChirpTestKit
import Foundation
import Testing

/// A process may die anywhere; after a resumption there is one clip and one post.
@Suite struct FaultTests {
    private static let onTheWay: [FaultPoint] = FaultPoint.allCases.filter {
        !([.withdrawing, .postRemoved, .objectRemoved] + FaultPoint.ofBatch).contains($0)
    }

    @Test(arguments: onTheWay, [1, 2])
    func `killed at any point, resumed: one clip, one post, nothing waiting`(point: FaultPoint, count: Int) async throws
    {
        let world = try World()
        let plan = FaultPlan(point, count: count)
        let failure = await world.failure(try world.request(), world.ports { plan.isDue(at: $0) })
        // Only an upload reports twice; at other points the second time never comes.
        if count == 1 || point == .uploading {
            #expect(failure == .halted(point))
            let outcomes = try await Outbox(world.ports()).resumeAll()
            for outcome in outcomes { #expect(throws: Never.self) { try outcome.result.get() } }
            #expect(outcomes.count == (point == .done ? 0 : 1))
        } else {
            #expect(failure == nil)
        }
        #expect(try await world.violations() == [])
        #expect(world.network.attempts <= 2)
    }

    @Test(arguments: onTheWay)
    func `killed at any point, published again: the same clip, one post`(point: FaultPoint) async throws {
        let world = try World()
        let plan = FaultPlan(point)
        #expect(await world.failure(try world.request(), world.ports { plan.isDue(at: $0) }) == .halted(point))
        _ = try await world.publish(world.request())
        #expect(try await world.violations() == [])
    }

    @Test func `killed again and again at random points, it still ends once`() async throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<60 {
            let world = try World()
            let request = try world.request()
            var runs = 0
            while try await world.rows().first?.state != .done {
                let point = Self.onTheWay.randomElement(using: &random) ?? .begun
                let plan = FaultPlan(point, count: Int.random(in: 1...2, using: &random))
                let ports = world.ports { plan.isDue(at: $0) }
                if runs == 0 || Bool.random(using: &random) {
                    _ = await world.failure(request, ports)
                } else {
                    _ = try await Outbox(ports).resumeAll()
                }
                runs += 1
                #expect(runs < 200)
            }
            #expect(try await world.violations() == [])
        }
    }

    @Test(arguments: onTheWay.filter { $0 != .done }, [FaultPoint.withdrawing, .postRemoved, .objectRemoved])
    func `killed while being dropped, dropped: nothing is left`(before: FaultPoint, during: FaultPoint) async throws {
        let world = try World()
        let first = FaultPlan(before)
        _ = await world.failure(try world.request(), world.ports { first.isDue(at: $0) })
        let id = try #require(try await world.rows().first?.id)
        let second = FaultPlan(during)
        await #expect(throws: PublishFailure.halted(during)) {
            _ = try await Outbox(world.ports { second.isDue(at: $0) }).drop(id)
        }
        #expect(try await world.rows().map(\.state) == [.withdrawing])
        _ = try await Outbox(world.ports()).resumeAll()
        #expect(try await world.rows().map(\.state) == [.dropped])
        #expect(world.store.objects.isEmpty)
        #expect(try world.waiting() == [])
        // A post whose answer was lost with the process is not known; any other is removed.
        #expect(world.network.posts.count == (before == .published ? 1 : 0))
    }

    @Test(arguments: [
        ("saved", FaultPoint.saved, 1), ("uploading:3", .uploading, 3),
    ])
    func `a fault is written as point and count`(text: String, point: FaultPoint, count: Int) throws {
        let plan = try #require(FaultPlan(text))
        #expect(plan.point == point)
        for turn in 1...4 { #expect(plan.isDue(at: point) == (turn == count)) }
        #expect(!plan.isDue(at: .begun))
    }

    @Test(arguments: ["", "nowhere", "saved:", "saved:0", "saved:-1", "saved:x", "saved:1:2", ":1"])
    func `anything else is no fault`(text: String) { #expect(FaultPlan(text) == nil) }
}
