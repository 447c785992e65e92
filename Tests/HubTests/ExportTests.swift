import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import NIOCore
import Testing

/// What a person takes along, unpacked by another program.
@Suite struct ExportTests {
    private let house: HubHousehold
    private let accounts: Accounts
    private static let password = "correct horse battery"

    init() throws {
        house = try HubHousehold()
        accounts = house.accounts
    }

    private func member(_ name: String) async throws -> AccountID {
        let letter = try await accounts.signUp(
            handle: Handle(typed: name), mail: MailAddress(typed: "\(name)@example.org"),
            password: Secret(Self.password), registration: .open)
        guard case .confirm(_, let link) = letter else { throw Unexpected() }
        _ = try await accounts.confirm(link.token)
        return try #require(try await accounts.account(Handle(typed: name))).id
    }

    /// Sends the form of the page as somebody signed in.
    private func export(as name: String, password: String = password) async throws -> TestResponse {
        try await house.application().application().test(.router) { client in
            let visitor = Visitor(client)
            _ = try await visitor.submit("/signin", [("username", name), ("password", Self.password)])
            #expect(try await visitor.get("/settings").text.contains("/settings/export"))
            #expect(try await visitor.get("/settings/export").text.contains("<button class=\"main\">Export</button>"))
            return try await visitor.submit("/settings/export", [("password", password)])
        }
    }

    @Test func `a program takes the same archive, with the password`() async throws {
        let cast = HubCast(house: house)
        let ann = try await cast.member("ann")
        let (all, part) = (try await cast.token(of: ann), try await cast.token(of: ann, "read:accounts"))
        let path = "/api/hub/v1/account/export"
        try await house.application(cast.settings()).application().test(.router) { client in
            let json = "{\"password\":\"\(HubCast.password)\"}"
            #expect(try await client.send(.post, path, json: json).status == .unauthorized)
            #expect(try await client.send(.post, path, json: json, token: part).status == .forbidden)
            let wrong = try await client.send(.post, path, json: "{\"password\":\"wrong\"}", token: all)
            #expect(wrong.status == .unprocessableContent)
            let answer = try await client.send(.post, path, json: json, token: all)
            #expect(answer.status == .ok && answer.headers[.contentType] == "application/x-tar")
            #expect(try unpack(answer).names == Self.documents)
        }
    }

    /// Unpacks an archive; the names of its members, and what a document holds.
    private func unpack(_ answer: TestResponse) throws -> (names: Set<String>, folder: String) {
        let folder = house.folder.path("unpacked-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let tar = try ExternalProgram("tar").run(
            ["-xvf", "-", "-C", folder], input: Array(buffer: answer.body))
        return (Set(tar.text.split(separator: "\n").map(String.init)), folder)
    }

    private func document(_ name: String, in folder: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }

    private static let documents: Set = [
        "account.json", "posts.json", "clips.json", "drafts.json", "people.json", "marks.json", "notices.json",
        "listening.json", "frames.json", "items.json", "item-marks.json", "pictures.json", "comments.json",
        "uploads.json", "cases.json", "reports.json", "films.json", "federation.json",
    ]

    @Test func `an export lists her frames, and holds no token of theirs`() async throws {
        let (ann, bob) = (try await member("ann"), try await member("bob"))
        _ = try await HubCast(house: house).frame(of: ann, showing: bob)
        _ = try await house.library.newFrame(OpaqueToken(), name: "Somebody else's", account: bob, network: .hub)
        let folder = try unpack(try await export(as: "ann")).folder
        let frames = try #require(try document("frames.json", in: folder) as? [[String: Any]])
        #expect(frames.count == 1 && frames[0]["name"] as? String == "Hall")
        #expect(frames[0]["network"] as? String == "hub" && frames[0]["vip"] as? String == "bob")
        #expect(frames[0]["created"] as? String == "2027-01-15T08:00:00Z")
        #expect(Set(frames[0].keys) == ["name", "network", "vip", "created", "visited"], "no photo was chosen")
    }

    @Test func `an export holds what is hers, and nothing that others wrote`() async throws {
        let (ann, bob) = (try await member("ann"), try await member("bob"))
        let library = house.library
        try await library.follow(bob, by: ann)
        try await library.follow(ann, by: bob)
        var draft = PostDraft(author: ann, text: "My own words, for @bob", key: "1")
        draft.visibility = .direct
        _ = try await library.post(draft)
        var other = PostDraft(author: bob, text: "A secret for @ann", key: "2")
        other.visibility = .direct
        _ = try await library.post(other)
        // Hers, though its sound is missing.
        let saved = try await house.save(title: "Of the owner")
        let found = try await library.unfilteredClip(try #require(HubID(saved)))
        let known = try #require(found)
        var clip = HubClip(
            id: HubID(), title: "Of Ann", fileName: known.fileName, contentType: known.contentType, bytes: known.bytes,
            sha256: known.sha256, sound: nil, created: known.created, expires: nil, shared: false)
        clip.owner = ann
        #expect(try await library.insert(clip) == nil)

        let answer = try await export(as: "ann")
        #expect(answer.status == .ok && answer.headers[.contentType] == "application/x-tar")
        #expect(answer.headers[.contentDisposition] == "attachment; filename=\"ann.tar\"")
        let (names, folder) = try unpack(answer)
        #expect(names == Self.documents)
        let account = try #require(try document("account.json", in: folder) as? [String: Any])
        #expect(account["mail"] as? String == "ann@example.org" && account["password"] == nil)
        let posts = try #require(try document("posts.json", in: folder) as? [[String: Any]])
        #expect(posts.map { $0["text"] as? String } == ["My own words, for @bob"])
        #expect(posts.first?["recipients"] as? [String] == ["bob"])
        let clips = try #require(try document("clips.json", in: folder) as? [[String: Any]])
        #expect(clips.map { $0["title"] as? String } == ["Of Ann"])
        let people = try #require(try document("people.json", in: folder) as? [String: [String]])
        #expect(people == ["following": ["bob"], "followers": ["bob"], "blocked": []])
        let all = answer.text
        #expect(!all.contains("A secret for") && !all.contains("bob@example.org") && !all.contains("$argon2"))
    }

    @Test func `the owner's clips come with their sound, byte for byte`() async throws {
        let sound = (0..<200_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let id = try await house.publish(sound, title: "A take")
        let link = try await house.library.accounts().ownerLink()
        let answer = try await house.application().application().test(.router) { client in
            let owner = Visitor(client)
            let path = HubPages(publicURL: HubHousehold.publicURL).ownerSignIn(link)
            _ = try await owner.submit(String(path.dropFirst(HubHousehold.publicURL.count)))
            return try await owner.submit("/settings/export")
        }
        let (names, folder) = try unpack(answer)
        #expect(names == Self.documents.union(["media/\(id).mp3"]))
        #expect(FileManager.default.contents(atPath: "\(folder)/media/\(id).mp3") == Data(sound))
    }

    @Test func `an export needs the password`() async throws {
        _ = try await member("ann")
        let answer = try await export(as: "ann", password: "not the password")
        #expect(answer.status == .unprocessableContent)
        #expect(answer.headers[.contentType]?.hasPrefix("text/html") == true)
    }

    struct Unexpected: Error {}
}
