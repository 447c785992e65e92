import ChirpCommunity
import ChirpCore
import ChirpNetworks
import ChirpOwnHub
import ChirpTestKit
import HubHousehold
import Testing

/// The hub does what every store and every network does (W-5).
@Suite struct ConformanceTests {
    @Test(arguments: StoreConformance.Check.allCases)
    func `the hub is a store like any other`(check: StoreConformance.Check) async throws {
        let conformance = StoreConformance { limit in try HubHousehold(limit: limit?.bytes).store }
        #expect(try await conformance.violations(of: check) == [])
    }

    @Test(arguments: NetworkConformance.Check.allCases)
    func `the hub is a network like any other`(check: NetworkConformance.Check) async throws {
        let conformance = NetworkConformance {
            NetworkConformance.Subject(network: try HubHousehold().network, me: Account.ID("me"))
        }
        #expect(try await conformance.violations(of: check) == [])
    }
}
