import ChirpClips
import ChirpCore
import ChirpFlows
import ChirpNetworks
import ChirpStores
import ChirpTestKit
import FoundationEssentials
import Synchronization
import Testing

/// A network that remembers what it was asked, over one in memory.
private final class AttentiveNetwork: Network {
    struct Memory: Sendable {
        var drafts: [Draft] = []
        var attachmentsThere: [Bool] = []
        var removed = 0
        var expired = 0
        var refusal: NetworkError?
    }

    let base: MemoryNetwork
    let isByHand: Bool
    let place: String
    let memory = Mutex(Memory())

    init(_ base: MemoryNetwork, isByHand: Bool = false, place: String = "") {
        self.base = base
        self.isByHand = isByHand
        self.place = place
    }

    var seen: Memory { memory.withLock { $0 } }
    var properties: NetworkProperties {
        var properties = base.properties
        properties.place = place
        return properties
    }
    func textRules() async throws(NetworkError) -> TextRules { .characters(limit: 80, perLink: 23) }
    func page(for draft: Draft) -> String? { isByHand ? "https://social.example/post" : nil }
    func followed() async throws(NetworkError) -> [Account] { [] }

    func admit() async throws(NetworkError) {
        if let refusal = memory.withLock({ $0.refusal }) { throw refusal }
    }

    func publish(_ draft: Draft) async throws(NetworkError) -> Post? {
        memory.withLock { memory in
            memory.drafts.append(draft)
            let path = draft.attachment?.path ?? ""
            memory.attachmentsThere.append(FileManager.default.fileExists(atPath: path))
        }
        return isByHand ? nil : try await base.publish(draft)
    }

    func remove(_ id: Post.ID) async throws(NetworkError) {
        memory.withLock { $0.removed += 1 }
        try await base.remove(id)
    }

    func expire(_ id: Post.ID) async throws(NetworkError) {
        memory.withLock { $0.expired += 1 }
        try await base.remove(id)
    }

    func posts(by accounts: [Account.ID], after cursor: Cursor?) async throws(NetworkError) -> (
        posts: [Post], next: Cursor?
    ) {
        try await base.posts(by: accounts, after: cursor)
    }
}

// What a flow asks of a network, and when.
@Suite struct NetworkContractTests {
    @Test(arguments: [NetworkError.overBudget("spent"), .signedOut(network: "x")])
    func `a network that would refuse is asked before anything is made`(refusal: NetworkError) async throws {
        let world = try World()
        let network = AttentiveNetwork(world.network)
        network.memory.withLock { $0.refusal = refusal }
        #expect(await world.failure(try world.request(), world.ports(network: network)) == .network(refusal))
        #expect(world.renders == 0)
        #expect(world.store.objects.isEmpty)
    }

    @Test func `a draft says whether it may have been sent before`() async throws {
        let world = try World()
        let network = AttentiveNetwork(world.network)
        let scripted = ScriptedNetwork(network, before: [.unreachable("reset")], after: [.unreachable("reset")])
        _ = await world.failure(try world.request(), world.ports(network: scripted))
        for _ in 0..<2 { _ = try await Outbox(world.ports(network: scripted)).resumeAll() }
        #expect(network.seen.drafts.map(\.isRepetition) == [true, true])
        #expect(try await world.violations() == [])
        let other = try World()
        let first = AttentiveNetwork(other.network)
        _ = try await other.publish(try other.request(), other.ports(network: first))
        #expect(first.seen.drafts.map(\.isRepetition) == [false])
        #expect(first.seen.drafts.first?.attachment?.description == "A take")
        #expect(first.seen.attachmentsThere == [true])
    }

    /// Signing in to another hub meanwhile changes nothing for what was begun.
    @Test func `a publication is posted where it was begun, and another place is another publication`() async throws {
        let world = try World()
        let asked = Mutex<[String]>([])
        let network = AttentiveNetwork(world.network, place: "https://hub.example")
        let dying = world.ports(network: network, fault: { $0 == .posting })
        #expect(await world.failure(try world.request(), dying) == .halted(.posting))
        var ports = world.ports(network: network)
        ports.network = { (name, place) async throws(NetworkError) in
            asked.withLock { $0.append("\(name) \(place)") }
            return network
        }
        _ = try await Outbox(ports).resumeAll()
        #expect(asked.withLock { Set($0) } == ["\(network.properties.name) https://hub.example"])
        #expect(network.seen.drafts.count == 1)
        // The same order at the same place is known, at another one it is new.
        let again = try await world.publish(try world.request(), world.ports(network: network))
        #expect(again.notes.contains { $0.code == "already-published" })
        let elsewhere = AttentiveNetwork(world.network)
        _ = try await world.publish(try world.request(), world.ports(network: elsewhere))
        #expect(network.seen.drafts.count == 1 && elsewhere.seen.drafts.count == 1)
    }

    @Test func `the text keeps to the rules that the network itself gives`() async throws {
        let world = try World()
        let network = AttentiveNetwork(world.network)
        var request = try world.request()
        request.words = String(repeating: "word ", count: 40)
        let receipt = try await world.publish(request, world.ports(network: network))
        let text = try #require(receipt.shareText)
        #expect(TextRules.characters(limit: 80, perLink: 23).count(text) <= 80)
    }

    @Test func `posting by hand is told with its page`() async throws {
        let world = try World()
        let network = AttentiveNetwork(world.network, isByHand: true)
        let receipt = try await world.publish(try world.request(), world.ports(network: network))
        #expect(
            receipt.notes.contains { $0.code == "post-by-hand" && $0.text.hasSuffix("https://social.example/post") })
        #expect(receipt.network?.postID == nil)
    }

    @Test func `an expired post is expired, a dropped one removed`() async throws {
        let world = try World()
        let network = AttentiveNetwork(world.network)
        var request = try world.request()
        request.lifetime = .seconds(60)
        _ = try await world.publish(request, world.ports(network: network))
        world.wait(61)
        #expect(try await Sweep(world.ports(network: network)).run().expired.count == 1)
        #expect(network.seen.expired == 1 && network.seen.removed == 0)
    }
}
