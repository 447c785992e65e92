import ChirpCommunity
import ChirpDatabase
import Foundation
import HubHousehold
import Testing

/// What the library writes down of clips in a store.
@Suite struct StoredClipTests {
    /// A board that looks at recordings as they are.
    private static let judges = BoardTables(
        name: "judges",
        steps: [
            SchemaStep("judges-001", "CREATE TABLE judged (clip TEXT NOT NULL UNIQUE REFERENCES clips (id)) STRICT;")
        ])

    private let house: HubHousehold

    init() throws { house = try HubHousehold(boards: [Self.judges]) }

    private func begin(_ id: String, as object: String = UUID().uuidString) async throws -> StoredClip? {
        try await house.library.beginStoring(try #require(HubID(id)), as: object, in: "folder /x")
    }

    @Test func `what posts alone refer to may leave, and nothing else`() async throws {
        let (posted, judged) = (try await house.publish(), try await house.publish())
        let unposted = try await house.save()
        try await house.change("INSERT INTO judged VALUES ('\(judged)')")
        #expect(try await begin(posted)?.state == .uploading)
        #expect(try await begin(judged) == nil)
        #expect(try await begin(unposted) == nil)
        #expect(try await begin(HubID().text) == nil)
        try await house.change("DELETE FROM judged")
        #expect(try await begin(judged) != nil)
    }

    @Test func `a session is kept until it is there, and what is deleted leaves whoever deletes it`() async throws {
        let id = try #require(HubID(try await house.publish()))
        _ = try await begin(id.text, as: "one")
        try await house.library.note(session: "secret", of: "one")
        #expect(try await house.library.storedClip(id)?.session == "secret")
        try await house.library.endStoring("one")
        let there = try await house.library.storedClip(id)
        #expect(there?.state == .there && there?.session == nil && there?.place == "folder /x")
        // As the tables do it when an account goes.
        try await house.change("DELETE FROM clips")
        #expect(try await house.library.storedClip(id) == nil)
        #expect(try await house.library.leavingObjects(in: "folder /x", limit: 10) == ["one"])
        #expect(try await house.library.leavingObjects(in: "folder /y", limit: 10) == [])
        // What is there is forgotten only once it has left.
        try await house.library.forget(object: "one")
        #expect(try await house.library.leavingObjects(in: "folder /x", limit: 10) == [])
    }

    @Test func `that with which something failed comes last`() async throws {
        var ids: [String] = []
        for object in ["a", "b", "c"] {
            ids.append(try await house.publish())
            _ = try await begin(ids[ids.count - 1], as: object)
        }
        try await house.change("DELETE FROM clips")
        try await house.library.postpone(object: "a")
        house.wait(1)
        try await house.library.postpone(object: "b")
        #expect(try await house.library.leavingObjects(in: "folder /x", limit: 10) == ["c", "a", "b"])
        #expect(try await house.library.leavingObjects(in: "folder /x", limit: 1) == ["c"])
    }
}
