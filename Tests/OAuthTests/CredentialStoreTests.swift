import ChirpCore
import ChirpOAuth
import ChirpTestKit
import Foundation
import Testing

struct CredentialStoreTests {
    private let folder: TemporaryFolder
    private let store: CredentialStore

    init() throws {
        folder = try TemporaryFolder()
        store = CredentialStore(path: folder.path("config/chirp/credentials.json"))
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `what is kept comes back, in a file for its owner alone`() async throws {
        #expect(try store.all().isEmpty)
        var credential = Credential(
            accessToken: Secret("a"), refreshToken: Secret("r"), expires: Date(timeIntervalSince1970: 1_795_253_400))
        (credential.handle, credential.instance, credential.redirect) = (
            "ada", "https://m.example", "http://127.0.0.1:1"
        )
        let kept = credential
        try await store.change("x") { $0 = kept }
        try await store.change("webdav") { $0 = Credential(accessToken: Secret("w")) }
        #expect(try store.credential(for: "x") == credential)
        #expect(try mode(store.path) == 0o600)
        #expect(try mode(folder.path("config/chirp")) == 0o700)
        try await store.change("x") { $0 = nil }
        #expect(try store.all().keys.sorted() == ["webdav"])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("config/chirp"))
        #expect(names.sorted() == ["credentials.json", "credentials.json.lock"])
    }

    @Test(arguments: [0o640, 0o604, 0o660])
    func `a file that others can read is refused, and left as it is`(mode: Int) async throws {
        try await store.change("x") { $0 = Credential(accessToken: Secret("a")) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: store.path)
        let expected = CredentialError.exposed(path: store.path, mode: String(mode, radix: 8))
        #expect(throws: expected) { try store.all() }
        await #expect(throws: expected) { try await store.change("x") { $0 = nil } }
        #expect(expected.exitCode == .badConfiguration)
    }

    @Test(arguments: ["", "{", "[]", #"{"x": 5}"#, "\u{0}"])
    func `what is no credentials is named without being shown`(text: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("config/chirp"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: store.path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.path)
        #expect(throws: CredentialError.self) { try store.all() }
    }

    @Test func `changes at the same moment all arrive`() async throws {
        let path = store.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    try await CredentialStore(path: path).change("s\(number)") {
                        $0 = Credential(accessToken: Secret("t\(number)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.all().count == 12)
    }
}
