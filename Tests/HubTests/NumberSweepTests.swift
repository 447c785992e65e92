import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Numbers of strangers end nothing and fail nowhere. `Tests/HostileHub/extremes.py` does the same to the real program.
@Suite struct NumberSweepTests {
    /// In a process of its own: whichever request ends it is told, and the other tests go on. CHIRP_WHOLE=1 sends every number in every
    /// field as a visitor, as a member and as the owner, who take turns otherwise.
    @Test func `no number in any field of any request ends the program or fails`() async throws {
        let folder = try TemporaryFolder()
        let note = folder.path("request")
        let isWhole = ProcessInfo.processInfo.environment["CHIRP_WHOLE"] != nil
        await #expect(processExitsWith: .success) { [note = note as String, isWhole = isWhole as Bool] in
            try await NumberSweepTests.sweep(note, isWhole: isWhole)
        }
        let last = try String(contentsOfFile: note, encoding: .utf8)
        #expect(last.hasPrefix("All of "), "the program ended at \(last)")
        let count = try #require(Int(last.drop { !$0.isNumber }.prefix { $0.isNumber }))
        #expect(count > 20_000)
    }

    private struct Asker {
        let name: String
        /// Of a browser, and of a program.
        var page, program: HTTPFields
    }

    /// - Parameter note: a file that holds the request that is under way, and at the end how many there were.
    private static func sweep(_ note: String, isWhole: Bool) async throws {
        let house = try HubHousehold(boards: Boards.tables)
        let cast = HubCast(house: house)
        _ = FileManager.default.createFile(atPath: note, contents: nil)
        let file = try #require(FileHandle(forWritingAtPath: note))
        func write(_ text: String) throws {
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(text.utf8))
            try file.truncate(atOffset: UInt64(text.utf8.count))
        }
        let member = try await cast.member("mia")
        let sessions = (
            member: try await cast.accounts.signIn(name: "mia", password: Secret(HubCast.password), agent: ""),
            owner: try await cast.accounts.signIn(
                byOwnerLink: try await cast.accounts.ownerLink().token, agent: "")
        )
        let hub = try house.application(cast.settings(limitScale: 1e6))
        try await hub.application().test(.router) { client in
            let things = try await things(house, client, try await cast.token(of: member), member)
            let sweep = NumberSweep(
                routes: try hub.declaredRoutes() + [.get("/media/:file") { _, _ in Response(status: .ok) }],
                ids: things.ids, drafts: things.drafts, isWhole: isWhole)
            let askers = [
                try await asker("visitor", nil, cast, client),
                try await asker("member", sessions.member, cast, client),
                try await asker("owner", sessions.owner, cast, client),
            ]
            var (count, turn) = (0, 0)
            try await sweep.each { route, sent in
                turn += 1
                for (place, asker) in askers.enumerated() where isWhole || turn % askers.count == place {
                    let line = "\(asker.name): \(sent.line)"
                    try write(line)
                    let isPage = route.audience == .people
                    let answer = try await client.glance(
                        uri: sent.path, method: sent.method,
                        headers: HTTPFields(Array(sent.headers) + Array(isPage ? asker.page : asker.program)),
                        body: sent.body.map { ByteBuffer(string: $0) })
                    count += 1
                    #expect(answer.status.code < 500 || answer.status.code == 501, "\(line): \(answer.status)")
                }
            }
            try write("All of \(count) requests were answered")
        }
    }

    /// The cookies of a browser, and the token of a program; those of a visitor without a session.
    private static func asker<R>(
        _ name: String, _ session: Session?, _ cast: HubCast, _ client: RouterClient<R>
    ) async throws -> Asker {
        guard let session else { return Asker(name: name, page: [:], program: [:]) }
        let account = try #require(try await cast.accounts.account(session.account))
        let token = try await cast.token(of: account, "read write follow push")
        return Asker(
            name: name, page: [.cookie: "__Host-session=\(session.token.secret.reveal())"],
            program: [.authorization: "Bearer \(token)"])
    }

    /// Something on every board, and a post, so that requests reach further than to a 404.
    private static func things<R>(
        _ house: HubHousehold, _ client: RouterClient<R>, _ token: String, _ member: HubAccount
    ) async throws -> (ids: [(prefix: String, parameter: String, id: String)], drafts: [String: [String: String]]) {
        var ids = [(prefix: String, parameter: String, id: String)]()
        var drafts = [String: [String: String]]()
        for board in BoardSample.all {
            var fields = board.fields
            fields.merge(try await board.further(house, token)) { $1 }
            drafts[board.api] = fields
            let body = String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
            let made = try await client.send(.post, board.api, json: body, token: token)
            let id = try #require(try made.facts["id"] as? String, "\(board.name): \(made.text.prefix(300))")
            ids += [board.api, board.page].map { (prefix: $0, parameter: "id", id: id) }
        }
        let post = try await client.send(.post, "/api/v1/statuses", json: #"{"status": "Hello"}"#, token: token)
        let status = try #require(try post.facts["id"] as? String)
        let clip = try await house.publish()
        ids += [
            ("/api/v1/statuses", "id", status), ("/posts", "id", status), ("/report/posts", "id", status),
            ("/api/v1/accounts", "id", member.id.rawValue), ("/c", "id", clip), ("/api/hub/v1/clips", "id", clip),
            ("/media", "file", "\(clip).mp3"),
            ("", "handle", "mia"), ("", "tag", "Chirp"),
        ]
        return (ids, drafts)
    }
}
