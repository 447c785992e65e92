import ChirpAccounts
import ChirpBeats
import ChirpBoards
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

/// Beats as people without script and programs meet them, with something scripted that listens to tracks (AR-2, AR-3, AR-9).
@Suite struct BeatRouteTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }
    private static let quota = ByteCount(Int64(1_000_000))
    private static let limits = TrackLimits(longest: 600, mostBytes: 1000)
    private let orders = Mutexed<[TrackMaking.Order]>([])

    init() throws { cast = HubCast(house: try HubHousehold(boards: Boards.tables)) }

    /// Something that does what a script says, one line each time it is asked.
    private func making(_ script: [TrackMaking.Failure?] = []) -> TrackMaking {
        let orders = orders
        return TrackMaking { order throws(TrackMaking.Failure) in
            let number = orders.value.count
            orders.change { $0.append(order) }
            if number < script.count, let failure = script[number] { throw failure }
            do { try Data("the preview of \(order.name)".utf8).write(to: URL(filePath: order.preview)) } catch {
                throw .notNow("\(error)")
            }
            var facts = TrackFacts(milliseconds: 61_000)
            facts.loudness = -9.5
            facts.tempo = TrackFacts.Tempo(beats: 93.6, other: 187.2, confidence: 0.4)
            facts.key = TrackFacts.Key(Tonality(tonic: 6, isMinor: true), confidence: 0.9)
            return TrackMaking.Made(facts: facts, seconds: 61, peaks: [3, 200, 9])
        }
    }

    private func work(_ script: [TrackMaking.Failure?] = []) -> MediaWork {
        let none = ClipIntake { _ throws(ClipIntake.Failure) in throw .notNow("no clips") }
        return MediaWork(
            library: house.library, quota: Self.quota, intake: none, tracks: making(script),
            trackLimits: Self.limits, clock: HurriedClock(),
            logger: HubHousehold.logger)
    }

    private func application() throws -> HubApplication {
        var settings = try cast.settings(limitScale: 1000)
        settings.tracks = Self.limits
        var application = try house.application(settings)
        application.tracks = making()
        return application
    }

    private static let typed: [(name: String, value: String)] = [
        ("kind", "beat"), ("title", "Slow <b>rain</b>"), ("text", "For a quiet voice."), ("tags", "#dark, rainy"),
        ("price", "amount"), ("amount", "29,90"), ("currency", "EUR"),
    ]

    @Test func `the walk: say what one is, offer, wait, find, hear, like, archive, change, take down, without script`()
        async throws
    {
        try await cast.member("ann")
        try await cast.member("bob")
        try await application().application().test(.router) { client in
            let (ann, bob) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let visitor = Visitor(client)
            #expect(try await ann.get("/beats/new").location == "/beats/role")
            #expect(try await ann.submit("/beats/role", [("role", "producer")]).location == "/beats/mine")
            let missing = try await ann.submitFiles("/beats/new", Self.typed)
            #expect(missing.status == .unprocessableContent && missing.text.contains("href=\"#track\""))
            #expect(missing.text.contains("value=\"Slow &lt;b&gt;rain&lt;/b&gt;\""), "what was typed stays")
            let placed = try await ann.submitFiles("/beats/new", Self.typed, files: [("track", "a wave")])
            #expect(placed.status == .seeOther, "\(placed.text.prefix(3000))")
            let page = placed.location
            #expect(try await visitor.get(page).status == .notFound)
            #expect(try await ann.get(page).text.contains("data-beat-waiting"))
            let master = try #require(try await house.library.waitingMedia().first?.id)
            await work().takeInTrack(master)
            // Without services nobody rings for the board's errand.
            try await TrackStore(library: house.library).settleMade()
            let shown = try await visitor.get(page)
            #expect(shown.status == .ok && shown.text.contains("Slow &lt;b&gt;rain&lt;/b&gt;"))
            for text in [
                "29.90 EUR", "94 or 187 beats a minute", "F♯ minor", "−9.5 LUFS", "#rainy", "data-player", "og:audio",
            ] { #expect(shown.text.contains(text), "\(text)") }
            for query in [
                "", "?kind=beat", "?q=rain", "?from=90&to=100", "?from=180&to=190", "?key=13", "?price=from20",
                "?tag=dark", "?tag=Dark,rainy", "?sort=liked", "?kind=nonsense", "?from=100&to=90",
            ] { #expect(try await visitor.get("/beats\(query)").text.contains("Slow &lt;b&gt;"), "\(query)") }
            for query in [
                "?kind=open", "?q=snow", "?from=100&to=150", "?to=80", "?key=12", "?price=free", "?tag=bright",
            ] { #expect(try await !visitor.get("/beats\(query)").text.contains("Slow &lt;b&gt;"), "\(query)") }
            let token = type(of: bob).hidden(in: try await bob.get(page).text).filter { $0.name == "token" }.prefix(1)
            for act in ["like", "archive"] {
                #expect(try await bob.post("\(page)/\(act)", token + [("on", "yes")]).status == .seeOther)
            }
            #expect(try await visitor.get(page).text.contains("1 person likes it"))
            #expect(try await bob.get("/beats/archive").text.contains("Slow &lt;b&gt;"))
            #expect(try await bob.get(page).text.contains("aria-pressed=\"true\""))
            let edit = try await ann.submitFiles("\(page)/edit", [("title", "Slow snow"), ("price", "free")])
            #expect(edit.status == .seeOther, "\(edit.text.prefix(2000))")
            #expect(try await visitor.get("/beats?q=snow&price=free").text.contains("Slow snow"))
            #expect(try await bob.get("\(page)/edit").status == .notFound)
            let unsure = try await ann.submit("\(page)/withdrawal", [("reason", "By mistake")])
            #expect(unsure.status == .unprocessableContent)
            let gone = try await ann.submit("\(page)/withdrawal", [("reason", "By mistake"), ("sure", "yes")])
            #expect(gone.location == "/beats/mine")
            #expect(try await visitor.get(page).status == .gone)
        }
    }

    @Test func `a page speaks German to who likes that`() async throws {
        try await application().application().test(.router) { client in
            let answer = try await Visitor(client).get("/beats", [.acceptLanguage: "de"])
            #expect(answer.text.contains("Etwas suchen") && answer.text.contains("Fis-Moll"))
        }
    }

    @Test func `what was sent is for nobody, and a process that dies in between leaves it to the next`() async throws {
        let ann = try await cast.member("ann")
        let other = try await house.sendTrack(of: ann.id)
        await work([.died, .notNow("the disk is full")]).takeInTrack(other)
        let film = try #require(try await house.library.film(other))
        #expect(film.state == .ready && film.track?.findings.contains("93.6") == true)
        #expect(orders.value.count == 3 && orders.value.allSatisfy { $0.longest == 600 && $0.name == "beat.wav" })
        let clip = try #require(film.track?.clip)
        let heard = try Data(contentsOf: URL(filePath: house.library.media.file(clip)))
        #expect(String(decoding: heard, as: UTF8.self) == "the preview of beat.wav")
        #expect(try Data(contentsOf: URL(filePath: house.library.master(other))) == Data([1, 2, 3]))
        try await application().application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            for name in ["original.film", "shown.mp4", "sound.flac", "plain.mp4"] {
                #expect(try await browser.get("/films/\(other)-\(name)").status == .notFound, "\(name)")
            }
            #expect(try await browser.get("/films/\(other)/judged").status == .notFound)
            let token = try await cast.token(of: ann)
            let document = try await client.send(.get, "/api/hub/v1/films/\(other)", token: token)
            #expect(document.status == .ok && !document.text.contains("original") && !document.text.contains(".mp4"))
        }
    }

    @Test func `what is no sound is refused with the reason, and leaves nothing`() async throws {
        let ann = try await cast.member("ann")
        let (bad, deadly) = (try await house.sendTrack(of: ann.id), try await house.sendTrack(of: ann.id))
        await work([.refused("it is \u{1B}[31mno sound")]).takeInTrack(bad)
        let film = try #require(try await house.library.film(bad))
        #expect(
            film.state == .refused && film.why?.contains("no sound") == true && film.why?.contains("\u{1B}") == false)
        await work([nil, .died, .died]).takeInTrack(deadly)
        #expect(try await house.library.film(deadly)?.state == .refused)
        let left = try FileManager.default.contentsOfDirectory(atPath: house.folder.path("hub/films"))
        #expect(left.isEmpty)
    }

    @Test func `programs offer, are told field by field, and see reasons of what is alike`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let (one, other) = (try await cast.token(of: ann), try await cast.token(of: bob))
        try await application().application().test(.router) { client in
            let api = "/api/hub/v1/beats"
            let refused = try await client.send(.post, api, json: #"{"kind":"beat","title":"x","key":"k"}"#, token: one)
            #expect(refused.status == .forbidden, "a role says what one may offer")
            let nonsense = try await client.send(.put, "\(api)/role", json: #"{"roles":["king"]}"#, token: one)
            #expect(nonsense.status == .unprocessableContent)
            for token in [one, other] {
                let role = try await client.send(.put, "\(api)/role", json: #"{"roles":["producer"]}"#, token: token)
                #expect(role.status == .ok && role.text.contains("\"offers\":[\"beat\"]"))
            }
            let faults = try await client.send(
                .post, api, json: #"{"kind":"tune","title":"","price":"amount","amount":"-1","until":"x","key":"k"}"#,
                token: one)
            #expect(faults.status == .unprocessableContent && faults.headers[.contentType]?.contains("problem") == true)
            for field in ["kind", "title", "amount", "until"] {
                #expect(faults.text.contains("\"\(field)\""), "\(field)")
            }
            var facts = TrackFacts(milliseconds: 60_000)
            facts.tempo = TrackFacts.Tempo(beats: 120, confidence: 1)
            var ids: [String] = []
            for (token, account, title) in [(one, ann.id, "Mine"), (other, bob.id, "Theirs")] {
                let master = try await house.track(of: account, facts)
                let answer = try await client.send(
                    .post, api,
                    json: "{\"kind\":\"beat\",\"title\":\"\(title)\",\"master\":\"\(master)\",\"key\":\"k\"}",
                    token: token)
                #expect(answer.status == .created && answer.text.contains("\"state\":\"open\""), "\(answer.text)")
                ids.append(try #require(try answer.facts["id"] as? String))
            }
            let alike = try await client.send(.get, "\(api)/\(ids[0])/alike")
            #expect(alike.text.contains("Theirs") && alike.text.contains("Same tempo: 120 and 120"))
            #expect(try await client.send(.put, "\(api)/\(ids[0])/like", token: other).status == .ok)
            #expect(try await client.send(.put, "\(api)/\(ids[0])/like", token: one).status == .forbidden)
            #expect(try await client.send(.get, "\(api)/\(ids[0])").text.contains("\"likes\":1"))
            #expect(try await client.send(.delete, "\(api)/\(ids[0])/like", token: other).text.contains("\"likes\":0"))
            #expect(try await client.send(.get, "\(api)/mine", token: one).text.contains(ids[0]))
            #expect(try await client.send(.get, "\(api)/\(ids[0])").text.contains("master") == false)
        }
    }

    @Test func `parts add addresses, sections and reasons to stay`() async throws {
        let ann = try await cast.member("ann")
        var parts = BeatParts()
        parts.routes = { desk in
            [.get("\(BeatDesk.path)/fair") { request, context in desk.show(request, context) { _ in "<p>A fair</p>" } }]
        }
        parts.sections = [
            TrackPart(.offer) { track, view, _ in "<p>Buy \(track.item.title) \(view.isAuthor ? "yes" : "no")</p>" }
        ]
        parts.hold = { _, _ in "Somebody is paying" }
        var settings = try cast.settings()
        settings.boards.removeAll { $0 == Beats.board }
        var application = HubApplication(settings: settings, library: house.library, logger: HubHousehold.logger)
        application.furtherBoards = { [parts] desk in [Beats.whole(desk, parts: parts)] }
        let token = try await cast.token(of: ann)
        let further = try await house.producer(token: token)
        try await application.application().test(.router) { client in
            #expect(try await client.send(.get, "/beats/fair").text.contains("A fair"))
            let master = try #require(further["master"])
            let answer = try await client.send(
                .post, "/api/hub/v1/beats", json: "{\"kind\":\"beat\",\"title\":\"Rain\",\"master\":\"\(master)\"}",
                token: token)
            let id = try #require(try answer.facts["id"] as? String)
            #expect(try await client.send(.get, "/beats/\(id)").text.contains("<p>Buy Rain no</p>"))
            let closure = try await client.send(.post, "/api/hub/v1/beats/\(id)/closure", token: token)
            #expect(closure.status == .conflict && closure.text.contains("Somebody is paying"))
        }
    }

    @Test func `a track comes in by tus, as large as the owner allows`() async throws {
        let token = try await cast.token(of: try await cast.member("ann"), "read:media write:media")
        func begin<R>(_ client: RouterClient<R>, length: String) async throws -> TestResponse {
            var headers: HTTPFields = [.authorization: "Bearer \(token)"]
            headers[try #require(HTTPField.Name("Tus-Resumable"))] = "1.0.0"
            headers[try #require(HTTPField.Name("Upload-Length"))] = length
            headers[try #require(HTTPField.Name("Upload-Metadata"))] = "use \(Data("track".utf8).base64EncodedString())"
            return try await client.execute(uri: "/api/uploads", method: .post, headers: headers, body: nil)
        }
        try await house.application(cast.settings()).application().test(.router) { client in
            let answer = try await begin(client, length: "3")
            #expect(answer.text.contains("tracks-off"))
        }
        try await application().application().test(.router) { client in
            #expect(try await begin(client, length: "1001").status == .contentTooLarge)
            #expect(try await begin(client, length: "0").status == .badRequest)
            let answer = try await begin(client, length: "1000")
            let id = try #require(HubID(answer.location.suffix(22)))
            #expect(try await house.library.film(id)?.track != nil)
        }
    }
}
