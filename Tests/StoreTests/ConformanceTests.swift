import ChirpCore
import ChirpStores
import ChirpTestKit
import Testing

@Suite struct ConformanceTests {
    @Test(arguments: StoreConformance.Check.allCases)
    func `the memory store conforms`(check: StoreConformance.Check) async throws {
        let conformance = StoreConformance { MemoryStore(limit: $0) }
        #expect(try await conformance.violations(of: check) == [])
    }

    @Test(arguments: StoreConformance.Check.allCases)
    func `the folder store conforms`(check: StoreConformance.Check) async throws {
        let folder = try TemporaryFolder()
        let conformance = StoreConformance { limit in
            FolderStore(FolderStore.Settings(path: folder.path("clips-\(RandomName(length: 8))"), limit: limit))
        }
        #expect(try await conformance.violations(of: check) == [])
    }

    @Test(arguments: StoreConformance.Check.allCases)
    func `the decorators change nothing`(check: StoreConformance.Check) async throws {
        let conformance = StoreConformance { RetryingStore(MemoryStore(limit: $0)) }
        #expect(try await conformance.violations(of: check) == [])
    }
}
