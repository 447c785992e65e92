import ChirpAccounts
import ChirpBoards
import ChirpCommunity
import ChirpHub
import ChirpMusic
import ChirpRecords
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Synchronization
import Testing

/// Trying a challenge, handing in and judging, as people without script and programs meet them (boards.md 5.3).
@Suite struct AttemptRouteTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }
    private var attempts: AttemptStore { AttemptStore(library: house.library) }
    private static let board = "/challenges"
    private static let api = "/api/hub/v1/challenges"

    init() throws { cast = HubCast(house: try HubHousehold(boards: [Records.tables])) }

    private func settings() throws -> HubSettings {
        var settings = try cast.settings(limitScale: 100)
        settings.boards = [Records.board]
        return settings
    }

    /// Claps in a minute, set by somebody; without media, so that an attempt waits at once.
    private func challenge(by setter: AccountID, _ change: (inout RuleTerms) -> Void = { _ in }) async throws -> HubID {
        var terms = RuleTemplate.mostInAMinute.terms
        terms.needs = []
        change(&terms)
        return try await ChallengeStore(library: house.library).create(
            ChallengeDraft(category: .skill, title: "Claps <b>in</b> a minute"), terms, by: setter,
            key: UUID().uuidString)
    }

    private func attempt(_ score: String, at id: HubID, by account: AccountID) async throws -> HubID {
        house.wait(1)
        return try await attempts.begin(
            AttemptDraft(score: score, done: house.now, version: 1), at: id, by: account, key: UUID().uuidString)
    }

    private func moderate(_ handle: String) async throws {
        try await house.change("UPDATE accounts SET role = 'moderator' WHERE handle = '\(handle)'")
    }

    private func json(_ fields: [String: String]) throws -> String {
        String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
    }

    @Test func `an attempt is handed in without script, asked about, verified by two, and read`() async throws {
        let (sue, vic) = (try await cast.member("sue"), try await cast.member("vic"))
        let wim = try await cast.member("wim")
        for name in ["ann", "judy"] { try await cast.member(name) }
        try await moderate("judy")
        let id = try await challenge(by: sue.id)
        let mod = try #require(try await cast.accounts.account(Handle(typed: "judy")))
        for verifier in [vic, wim] {
            try await Verifiers(library: house.library).choose(verifier.id, at: id, by: mod.id)
        }
        try await house.application(settings()).application().test(.router) { client in
            let visitor = Visitor(client)
            let page = "\(Self.board)/\(id)/try"
            #expect(try await visitor.get(page).location.hasPrefix("/signin?to="))
            let ann = try await cast.browser(of: "ann", client)
            let form = try await ann.get(page).text
            #expect(form.contains("Claps &lt;b&gt;in&lt;/b&gt;") && form.contains("From 1 to 1000"))
            let wrong = try await ann.submitFiles(page, [("score", "1001"), ("place", "Nowhere at all")], files: [])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("aria-invalid=\"true\""))
            let sent = try await ann.submitFiles(page, [("score", "70"), ("text", "By <i>hand</i>")], files: [])
            #expect(sent.status == .seeOther, "\(sent.text.prefix(2000))")
            let path = sent.location
            #expect(path.hasPrefix("\(Self.board)/attempts/"))
            let shown = try await visitor.get(path).text
            #expect(shown.contains("By &lt;i&gt;hand&lt;/i&gt;") && shown.contains("Somebody who has nothing to do"))
            // One open attempt a person and rule.
            #expect(try await ann.get(page).text.contains("not decided yet"))

            let victor = try await cast.browser(of: "vic", client)
            let wilma = try await cast.browser(of: "wim", client)
            #expect(try await victor.get("\(Self.board)/queue").text.contains(path))
            #expect(try await !ann.get("\(Self.board)/queue").text.contains(path))
            let asked = try await victor.submit(path, to: "\(path)/question", [("reason", "Which hand?")])
            #expect(asked.location == path)
            #expect(try await ann.get("/notices").text.contains("Claps"))
            #expect(try await !ann.get(path).text.contains(">vic<"))
            #expect(try await !visitor.get(path).text.contains("Which hand?"))
            #expect(try await ann.submit(path, to: "\(path)/answer", [("reason", "Both")]).location == path)
            #expect(try await wilma.get(path).text.contains("Both"))
            let empty = try await victor.submit(path, to: "\(path)/rejection", [("reason", " ")])
            #expect(empty.status == .unprocessableContent)

            #expect(try await victor.submit(path, to: "\(path)/verification").location == path)
            #expect(try await victor.get(path).text.contains("Somebody else has to agree"))
            #expect(try await victor.submit("/settings/profile", to: "\(path)/verification").status == .conflict)
            #expect(try await wilma.submit(path, to: "\(path)/verification").location == path)
            let counted = try await visitor.get(path).text
            #expect(counted.contains("It counts") && counted.contains("The decision took"))
            #expect(try await ann.get("/notices").text.contains("Your attempt counts"))
            // Back as if it had never been.
            #expect(try await ann.submit(path, to: "\(path)/withdrawal").location == path)
            #expect(try await visitor.get(path).status == .notFound)
        }
    }

    /// Who is refused, and what makes her involved (OU-20; 5.3.4): by the page as by the interface.
    private static let involved: [(String, String)] = [
        ("ann", "author"), ("sue", "setter"), ("bob", "holder"), ("twin", "author"), ("sister", "setter"),
        ("dan", "rival"), ("pam", "stake"),
    ]

    @Test func `nobody verifies what she has to do with, by page or interface`() async throws {
        let names = ["sue", "ann", "bob", "twin", "sister", "dan", "pam", "eve", "judy"]
        for name in names { try await cast.member(name) }
        func account(_ name: String) async throws -> HubAccount {
            try #require(try await cast.accounts.account(Handle(typed: name)))
        }
        for name in names where name != "eve" { try await moderate(name) }
        try await house.change("UPDATE accounts SET mail = 'ann+two@example.org' WHERE handle = 'twin'")
        try await house.change("UPDATE accounts SET mail = 'sue+two@example.org' WHERE handle = 'sister'")
        let id = try await challenge(by: account("sue").id)
        let held = try await attempt("50", at: id, by: account("bob").id)
        try await attempts.decide(held, .verify, by: account("judy").id)
        // Pam has tried while something is pledged, and her appeal might still win it.
        let terms = StakeTerms(
            amount: 1, unit: "points", until: house.now.addingTimeInterval(864_000), isAdult: true)
        _ = try await StakeStore(library: house.library, limits: StakeLimits(isOn: true)).pledge(
            terms, at: id, version: 1, by: account("sue").id, key: "k")
        let missed = try await attempt("40", at: id, by: account("pam").id)
        try await attempts.decide(missed, .reject(why: "Not seen"), by: account("judy").id)
        let waiting = try await attempt("60", at: id, by: account("ann").id)
        _ = try await attempt("70", at: id, by: account("dan").id)
        try await house.application(settings()).application().test(.router) { client in
            let path = "\(Self.board)/attempts/\(waiting)"
            let call = "\(Self.api)/attempts/\(waiting)"
            for (name, tie) in Self.involved {
                let browser = try await cast.browser(of: name, client)
                #expect(try await !browser.get(path).text.contains("\(path)/verification"), "\(name)")
                let token = try await cast.token(of: account(name))
                if name != "ann" {
                    let facts = try await client.send(.get, call, token: token).facts
                    #expect(facts["involved"] as? String == tie, "\(name)")
                }
                for act in ["verification", "rejection", "question"] {
                    // With a token of a form that there is.
                    let page = try await browser.submit(
                        "/settings/profile", to: "\(path)/\(act)", [("reason", "Why not")])
                    #expect(page.status == .forbidden, "\(name) \(act) \(page.status)")
                    #expect(page.text.contains("Others decide about"), "\(name) \(act)")
                    let program = try await client.send(
                        .post, "\(call)/\(act)", json: "{\"reason\":\"x\"}", token: token)
                    #expect(program.status == .forbidden, "\(name) \(act) \(program.status)")
                }
            }
            // Who is none of those, and no verifier.
            let eve = try await cast.token(of: account("eve"))
            #expect(try await client.send(.post, "\(call)/verification", token: eve).status == .forbidden)
            #expect(try await client.send(.post, "\(call)/verification").status == .unauthorized)
            #expect(try await attempts.attempt(waiting, for: .visitor)?.state == .waiting)
            // Many at once: one decides, and what the others say is refused.
            let mod = try await cast.token(of: account("judy"))
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for index in 0..<8 {
                    let act = index.isMultiple(of: 2) ? "verification" : "rejection"
                    group.addTask {
                        try await client.send(.post, "\(call)/\(act)", json: "{\"reason\":\"x\"}", token: mod).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // A moderator may also reject what was verified, and nobody verify what was rejected.
            #expect(statuses.count { $0 == .ok } <= 2 && statuses.contains(.ok), "\(statuses)")
            #expect(statuses.allSatisfy { $0 == .ok || $0 == .conflict }, "\(statuses)")
        }
    }

    @Test func `programs hand in once for a key, and are told field by field`() async throws {
        let (sue, ann) = (try await cast.member("sue"), try await cast.member("ann"))
        let token = try await cast.token(of: ann)
        let id = try await challenge(by: sue.id)
        let begins = house.now.addingTimeInterval(3600)
        let later = try await challenge(by: sue.id) {
            $0.event = .init(begins: begins, ends: begins.addingTimeInterval(3600), grace: 60)
        }
        try await house.application(settings()).application().test(.router) { client in
            let path = "\(Self.api)/\(id)/attempts"
            func send(_ fields: [String: String], to path: String) async throws -> TestResponse {
                try await client.send(.post, path, json: try json(fields), token: token)
            }
            let wrong = try await send(["score": "1.5", "key": "a", "version": "1", "done": "soon"], to: path)
            let errors = try wrong.facts["errors"] as? [String: String]
            #expect(wrong.status == .unprocessableContent && errors?["score"] != nil && errors?["done"] != nil)
            #expect(try await send(["score": "15", "version": "1"], to: path).status == .unprocessableContent)
            #expect(try await send(["score": "15", "version": "2", "key": "a"], to: path).status == .conflict)
            let event = try await send(
                ["score": "15", "version": "1", "key": "a"], to: "\(Self.api)/\(later)/attempts")
            #expect(event.status == .conflict && event.text.contains("begins"))

            let fields = ["score": "15", "version": "1", "key": "a"]
            let body = try json(fields)
            let ids = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await client.send(.post, path, json: body, token: token).facts["id"] as? String
                    }
                }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(ids.count == 1 && !ids.contains(nil), "\(ids)")
            #expect(try await send(["score": "16", "version": "1", "key": "b"], to: path).status == .conflict)
        }
    }

    @Test func `a code is read aloud to whose it is, in her language, where there is a voice`() async throws {
        let (sue, ann) = (try await cast.member("sue"), try await cast.member("ann"))
        try await cast.member("bob")
        let id = try await challenge(by: sue.id)
        let token = try await cast.token(of: ann)
        let said = Mutex<[String]>([])
        var hub = try house.application(settings())
        hub.voice = BoardVoice { text, languages in
            said.withLock { $0.append("\(languages.joined(separator: " ")): \(text)") }
            return Array("RIFF".utf8)
        }
        try await hub.application().test(.router) { client in
            let facts = try await client.send(.post, "\(Self.api)/\(id)/tries", token: token).facts
            let digits = try #require((facts["code"] as? String).flatMap { AttemptCode($0) }).digits
            let address = "\(Self.board)/tries/\(try #require(facts["id"] as? String))/code.wav"
            #expect((facts["spoken"] as? String)?.hasSuffix(address) == true)
            let (annie, bobby) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            #expect(try await annie.get("\(Self.board)/\(id)/try").text.contains("data-spoken"))
            for _ in 0..<2 { #expect(try await annie.get(address).text == "RIFF") }
            let words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
            #expect(said.withLock { $0 } == ["en: " + digits.map { words[$0] }.joined(separator: ", ")])
            #expect(try await bobby.get(address).status == .notFound)
            #expect(try await Visitor(client).get(address).location.hasPrefix("/signin"))
            #expect(said.withLock { $0.count } == 1)
        }
        // Where nobody speaks, or cannot now, it is shown and played.
        for voice in [nil, BoardVoice { _, _ in nil }] {
            hub.voice = voice
            try await hub.application().test(.router) { client in
                let facts = try await client.send(.post, "\(Self.api)/\(id)/tries", token: token).facts
                let annie = try await cast.browser(of: "ann", client)
                let tries = "\(Self.board)/tries/\(try #require(facts["id"] as? String))"
                #expect(try await annie.get("\(tries)/code.wav").status == .notFound)
                #expect(try await annie.get("\(tries)/start.wav").status == .ok)
                #expect((facts["spoken"] != nil) == (voice != nil))
                let page = try await annie.get("\(Self.board)/\(id)/try").text
                #expect(page.contains("data-spoken") == (voice != nil))
            }
        }
    }

    @Test func `a code is one person's, its tones are found again, and both end`() async throws {
        let (sue, ann, bob) = (try await cast.member("sue"), try await cast.member("ann"), try await cast.member("bob"))
        let tokens = (try await cast.token(of: ann), try await cast.token(of: bob))
        let id = try await challenge(by: sue.id)
        try await house.application(settings()).application().test(.router) { client in
            let path = "\(Self.api)/\(id)/tries"
            let first = try await client.send(.post, path, token: tokens.0).facts
            let again = try await client.send(.post, path, token: tokens.0).facts
            #expect(first["id"] as? String == again["id"] as? String)
            let number = try #require((first["code"] as? String).flatMap { AttemptCode($0) })
            let tones = "\(Self.board)/tries/\(try #require(first["id"] as? String))"
            let annie = try await cast.browser(of: "ann", client)
            let start = Array(try await annie.get("\(tones)/start.wav").body.readableBytesView)
            let stop = Array(try await annie.get("\(tones)/stop.wav").body.readableBytesView)
            #expect(start.starts(with: "RIFF".utf8))
            #expect(Array(try await annie.get("\(tones)/start.wav").body.readableBytesView) == start)
            let samples = Self.samples(start) + [Float](repeating: 0, count: 16_000) + Self.samples(stop)
            let take = try TimedTake.find(in: samples, rate: 16_000, code: number)
            #expect(take.ending == .tone && abs(take.start - 3) < 0.002)
            #expect(abs(take.stop - Double(Self.samples(start).count + 16_000) / 16_000) < 0.002)
            // Nobody else's, not even to guess by.
            let bobby = try await cast.browser(of: "bob", client)
            #expect(try await bobby.get("\(tones)/start.wav").status == .notFound)
            #expect(try await annie.get("\(tones)/other.wav").status == .notFound)
            #expect(try await Visitor(client).get("\(tones)/start.wav").location.hasPrefix("/signin"))
            let code = try #require((first["id"] as? String).flatMap { HubID($0) })
            let codes = TryCodes(library: house.library)
            let (hers, his) = (try await attempt("5", at: id, by: ann.id), try await attempt("6", at: id, by: bob.id))
            #expect(try await !codes.use(code, for: his, by: bob.id))
            #expect(try await codes.use(code, for: hers, by: ann.id))
            #expect(try await !codes.use(code, for: hers, by: ann.id))
            #expect(try await codes.code(of: hers)?.code == number)
            let next = try await client.send(.post, path, token: tokens.0).facts["id"] as? String
            #expect(next != nil && next != code.text)
            house.wait(TryCodes.lifetime + 1)
            #expect(try await annie.get("\(Self.board)/tries/\(next ?? "")/start.wav").status == .notFound)
            #expect(try await codes.sweep(at: house.now) == 1)
        }
    }

    private static func samples(_ wav: [UInt8]) -> [Float] {
        stride(from: 44, to: wav.count - 1, by: 2).map { index in
            Float(Int16(bitPattern: UInt16(wav[index]) | UInt16(wav[index + 1]) << 8)) / 32_768
        }
    }

    @Test func `who is rejected reads why, and somebody else looks at the appeal`() async throws {
        let (sue, ann) = (try await cast.member("sue"), try await cast.member("ann"))
        for name in ["judy", "moe"] {
            try await cast.member(name)
            try await moderate(name)
        }
        let id = try await challenge(by: sue.id)
        let waiting = try await attempt("60", at: id, by: ann.id)
        try await house.application(settings()).application().test(.router) { client in
            let path = "\(Self.board)/attempts/\(waiting)"
            let annie = try await cast.browser(of: "ann", client)
            let (mod, moe) = (try await cast.browser(of: "judy", client), try await cast.browser(of: "moe", client))
            #expect(
                try await mod.submit(path, to: "\(path)/rejection", [("reason", "No <b>hands</b> seen")]).location
                    == path)
            let read = try await annie.get(path).text
            #expect(read.contains("No &lt;b&gt;hands&lt;/b&gt; seen") && read.contains("\(path)/appeal"))
            #expect(try await Visitor(client).get(path).status == .notFound)
            #expect(try await annie.submit(path, to: "\(path)/appeal", [("reason", "They are there")]).location == path)
            let again = try await mod.submit("/settings/profile", to: "\(path)/verification")
            #expect(again.status == .forbidden && again.text.contains("Somebody else looks at the appeal"))
            #expect(try await moe.get("\(Self.board)/queue").text.contains("has appealed"))
            #expect(try await moe.submit(path, to: "\(path)/verification").location == path)
            #expect(try await attempts.attempt(waiting, for: .visitor)?.state == .verified)
        }
    }
}
