import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpListings
import ChirpRecords
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// A hub at which Ann has something of each kind, and texts of Ann's that a visitor does not read.
struct ScopeScene {
    let scene: PositionScene
    var house: HubHousehold { scene.house }
    var cast: HubCast { scene.cast }
    let ann: HubAccount
    let hub: HubApplication
    /// The things by what their addresses begin with; the longest counts.
    private let things: [(prefix: String, id: String)]
    /// By the name of a parameter.
    private let parameters: [String: String]

    /// What only some scopes read: the text, and with what it may be read.
    static let secrets: [(text: String, scopes: Set<String>)] = [
        ("quince for followers", ["read", "read:statuses", "read:bookmarks", "read:favourites"]),
        ("heron between us", ["read", "read:statuses", "read:notifications"]),
        ("cobalt hallway", ["read", "read:frames"]),
        ("Ann of the licence", ["read", "read:orders"]),
        ("marten of a request", ["read", "read:orders", "read:statuses", "read:notifications"]),
    ]

    init() async throws {
        let scene = try await PositionScene(boards: Boards.tables)
        let (house, cast) = (scene.house, scene.cast)
        func account(_ handle: String) async throws -> HubAccount {
            try #require(try await cast.accounts.account(Handle(typed: handle)))
        }
        let (ann, bob) = (try await account("ann"), try await account("bob"))
        let hub = try house.application(cast.settings(limitScale: 1e6))
        let (hers, his) = (try await cast.token(of: ann), try await cast.token(of: bob))
        let beat = try await cast.beat(by: ann, "Rain over Ann")
        let other = try await cast.beat(by: bob, "Rain over Bob")
        let frame = try await cast.frame(of: ann.id, showing: bob.id).frame
        try await house.change("UPDATE frames SET name = 'cobalt hallway'")
        let clip = try await cast.clip(of: ann)
        let track = try await house.track(of: ann.id)
        var things: [(String, String)] = []
        try await hub.application().test(.router) { client in
            func made(_ path: String, _ json: String, by token: String) async throws -> String {
                let answer = try await client.send(.post, path, json: json, token: token)
                let id = try answer.facts["id"] as? String
                return try #require(id, "\(path): \(answer.text)")
            }
            let status = try await made(
                "/api/v1/statuses", #"{"status": "quince for followers", "visibility": "private"}"#, by: hers)
            for mark in ["bookmark", "favourite"] {
                _ = try await client.send(.post, "/api/v1/statuses/\(status)/\(mark)", token: hers)
            }
            _ = try await client.send(
                .post, "/api/hub/v1/threads", json: #"{"to": ["ann"], "text": "heron between us"}"#, token: his)
            let threads = try await client.send(.get, "/api/hub/v1/threads", token: hers).facts["threads"]
            let thread = try #require((threads as? [[String: Any]])?.first?["id"] as? String)
            let challenge = try await made(
                "/api/hub/v1/challenges",
                String(
                    decoding: try JSONSerialization.data(
                        withJSONObject: try #require(BoardSample.all.first { $0.name == Records.board }).fields),
                    as: UTF8.self), by: hers)
            let comment = try await made(
                "/api/hub/v1/challenges/\(challenge)/comments", #"{"text": "With both hands", "key": "c"}"#, by: hers)
            let request = try await made(
                "/api/hub/v1/beats/requests",
                #"{"producer": "bob", "words": "marten of a request", "key": "k"}"#, by: hers)
            let offer = #"{"template": "wav", "files": ["wav"], "amount": "29.90"}"#
            let (beats, licences) = ("/api/hub/v1/beats", "licences")
            let own = try await made("\(beats)/\(beat)/\(licences)", offer, by: hers)
            let others = try await made("\(beats)/\(other)/\(licences)", offer, by: his)
            let purchase = try await made(
                "\(beats)/\(other)/\(licences)/\(others)/purchase", #"{"name": "Ann of the licence", "key": "k"}"#,
                by: hers)
            let sale = try await made(
                "\(beats)/\(beat)/\(licences)/\(own)/purchase", #"{"name": "Bob", "key": "k"}"#, by: his)
            _ = try await client.send(.post, "\(beats)/sales/\(purchase)/payment", token: his)
            let bought = try await client.send(.get, "\(beats)/purchases/\(purchase)", token: hers).facts
            let grant = try #require(bought["grant"] as? String)
            let sessions = try await cast.accounts.signIn(
                name: "ann", password: Secret(HubCast.password), agent: "Ann's browser")
            #expect(!sessions.token.secret.reveal().isEmpty)
            let session = try #require(try await cast.accounts.sessions(of: ann.id).first).id
            let person = try #require(
                try await client.send(.get, "/api/v1/accounts/lookup?acct=ann").facts["id"] as? String)
            things = [
                ("/api/hub/v1/lost-and-found", "\(scene.near)"), ("/api/hub/v1/challenges", challenge),
                ("/api/hub/v1/items", challenge), ("/api/hub/v1/comments", comment), (beats, "\(beat)"),
                ("\(beats)/purchases", purchase), ("\(beats)/sales", sale), ("\(beats)/requests", request),
                ("\(beats)/grants", grant), ("\(beats)/licences", grant), ("/api/hub/v1/frames", frame.id),
                ("/api/hub/v1/clips", "\(clip.id)"), ("/api/hub/v1/threads", thread),
                ("/api/hub/v1/sessions", session), ("/api/v1/statuses", status), ("/api/v1/accounts", person),
                ("/api/hub/v1/moderation/people", person), ("comment", comment), ("licence", own),
            ]
        }
        (self.scene, self.ann, self.hub) = (scene, ann, hub)
        self.things = things.filter { $0.0.hasPrefix("/") }.map { (prefix: $0.0, id: $0.1) }
        var parameters = [
            "claim": "\(scene.claim)", "alert": "\(scene.alert)", "handle": "ann", "film": "\(track)",
            "upload": "\(track)", "media": "\(track)", "tag": "chirp", "kind": "scope", "name": "wav",
        ]
        for thing in things where !thing.0.hasPrefix("/") { parameters[thing.0] = thing.1 }
        parameters["other"] = "\(scene.own)"
        self.parameters = parameters
        otherBeat = "\(other)"
    }

    private let otherBeat: String

    /// The address that a declaration stands for, of something of Ann's where there is one.
    func path(_ route: WebRoute) -> String {
        let thing = things.filter { route.path.hasPrefix("\($0.prefix)/") }.max { $0.prefix.count < $1.prefix.count }
        return route.path.split(separator: "/", omittingEmptySubsequences: false).map { part -> String in
            guard part.first == ":" else { return String(part) }
            let name = String(part.dropFirst())
            if name == "id" { return thing?.id ?? "999999" }
            if name == "other", route.path.contains("/beats/") { return otherBeat }
            return parameters[name] ?? "999999"
        }.joined(separator: "/").replacing("{handle}", with: "ann")
    }

    /// Whether something of Ann's is there for each parameter of an address.
    func isReal(_ route: WebRoute) -> Bool { !path(route).contains("999999") }
}
