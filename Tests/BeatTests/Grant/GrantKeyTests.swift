import ChirpBeats
import ChirpTestKit
import Foundation
import Testing

@Suite struct GrantKeyTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("licence-key") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a key is made once, for its owner's eyes, and is the same afterwards`() throws {
        let first = try GrantKey.read(path)
        #expect(try GrantKey.read(path).publicKey == first.publicKey)
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        #expect(facts[.posixPermissions] as? Int == 0o600 && facts[.size] as? Int == GrantKey.length)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["licence-key"])
    }

    @Test func `fifty that make it at once use one`() async throws {
        let path = path
        let keys = try await withThrowingTaskGroup(of: GrantPublicKey.self) { group in
            for _ in 0..<50 { group.addTask { try GrantKey.read(path).publicKey } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
    }

    @Test func `another key begins when it is renewed`() throws {
        let first = try GrantKey.read(path)
        let second = try GrantKey.renew(path)
        #expect(second.publicKey != first.publicKey && second.publicKey.id != first.publicKey.id)
        #expect(try GrantKey.read(path).publicKey == second.publicKey)
    }

    @Test(arguments: [0, 31, 33, 100_000])
    func `what is no key is neither used nor replaced`(count: Int) throws {
        let bytes = Data(repeating: 7, count: count)
        try bytes.write(to: URL(filePath: path))
        #expect(throws: GrantKey.Failure.damaged(path: path)) { try GrantKey.read(path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test func `where no file can be made, that is said`() throws {
        #expect(throws: GrantKey.Failure.self) { try GrantKey.read(folder.path("none/licence-key")) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: GrantKey.Failure.self) { try GrantKey.read(path) }
    }

    @Test func `what is no public key is none`() {
        #expect(GrantPublicKey([]) == nil && GrantPublicKey(Array(repeating: 1, count: 31)) == nil)
    }
}
