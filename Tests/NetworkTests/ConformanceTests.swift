import ChirpNetworks
import ChirpTestKit
import Testing

@Suite struct NetworkConformanceTests {
    @Test(arguments: NetworkConformance.Check.allCases)
    func `the memory network conforms`(check: NetworkConformance.Check) async throws {
        let conformance = NetworkConformance {
            NetworkConformance.Subject(network: MemoryNetwork(), me: Account.ID("1"))
        }
        #expect(try await conformance.violations(of: check) == [])
    }

    @Test func `a text above the limit is refused, also by a network that nobody asked to count`() async throws {
        let network = MemoryNetwork(textRules: .characters(limit: 10, perLink: 23))
        let draft = Draft(key: Draft.Key("k"), text: "eleven char", link: "")
        await #expect(throws: NetworkError.refused(status: 422, detail: "the text counts 11, at most 10 is allowed")) {
            _ = try await network.publish(draft)
        }
        #expect(network.posts.isEmpty)
    }

    @Test func `without a network posting is left to the user`() async throws {
        let network = NoNetwork()
        #expect(try await network.publish(Draft(key: Draft.Key("k"), text: "t", link: "")) == nil)
        #expect(try await network.followed().isEmpty)
        #expect(try await network.posts(by: [Account.ID("1")], after: Cursor("7")).next == Cursor("7"))
        try await network.remove(Post.ID("1"))
    }
}
