import ChirpAccounts
import ChirpCommunity
import ChirpMusic
import ChirpRecords
import Foundation
import GRDB
import HubHousehold
import Testing

/// What the board keeps of people: all of it is in an export, or left out for a reason, and nothing stays (boards.md 5.1.13).
@Suite struct ChallengeColumnTests {
    /// How the rows of a column that leads to an account fare when she takes along what is hers.
    private enum Fate {
        case held(_ document: String, _ text: String)
        case left(_ why: String)
    }

    private static let fates: [String: Fate] = [
        "attemptCodes.account": .held("attempt-codes.json", "\"code\" : \""),
        "attemptHearings.attempt": .held("attempts.json", "\"code\" : \"4711\""),
        "attemptMedia.attempt": .held("attempts.json", "\"sound\" : \""),
        "attemptQuestions.by": .held("attempt-questions.json", "zinnober question"),
        "attemptVotes.account": .held("attempt-votes.json", "\"vote\" : \"down\""),
        "attempts.account": .held("attempts.json", "zinnober attempt"),
        "challengeMergers.by": .held("challenges.json", "\"merged\""),
        "challengeVisits.account": .held("challenges.json", "zinnober town"),
        "holds.rule": .held("attempts.json", "\"level\" : \"world\""),
        "announcementTries.attempt": .left("how often her record was tried to be announced, until it is"),
        "recordAnnouncements.attempt": .left("that her record was announced: the post and the clip are in her export"),
        "recordNews.attempt": .left("that others are to be told of her attempt: the attempt is in it"),
        "recordNews.rule": .left("that others are to be told of her rule: the rule is in it"),
        "rules.setter": .held("rules.json", "zinnober rule"),
        "stakeLedger.account": .held("stakes.json", "\"amount\" : -10"),
        "stakeTies.account": .left(
            "that an account was found to be a setter's own, or was taken for it: a finding about somebody else's pledge"
        ),
        "stakes.account": .held("stakes.json", "\"why\" : \"pledge\""),
        "verdicts.by": .held("verifying.json", "zinnober verdict"),
        "verifiers.account": .held("verifying.json", "\"isVerifier\" : true"),
        "verifiers.chooser": .held("verifying.json", "\"isVerifier\" : false"),
    ]

    /// The columns of the board's tables that refer to accounts, or, in tables without one, to a row that goes with an account.
    private static func leading(in database: Database, without core: Set<String>) throws -> Set<String> {
        let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            .filter { !core.contains($0) }
        var (found, reached): (Set<String>, Set<String>) = ([], ["accounts"])
        while true {
            let next = try tables.filter { !reached.contains($0) }.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM pragma_foreign_key_list(?)", arguments: [table])
                    .filter { row in
                        let parent: String = row["table"]
                        return reached.contains(parent) && (parent == "accounts" || row["on_delete"] == "CASCADE")
                    }.map { (table, $0["from"] as String) }
            }
            if next.isEmpty { return found }
            // Those that name an account first: of the others only what has none.
            found.formUnion(next.map { "\($0.0).\($0.1)" })
            reached.formUnion(next.map(\.0))
        }
    }

    /// Ann, with something in every table; all that she has written has a word in it that nobody else has.
    private func filled() async throws -> ChallengeCast {
        let cast = try await ChallengeCast()
        var terms = ChallengeCast.counting
        terms.invalid = "zinnober rule"
        let own = try await cast.challenge(terms, by: cast.ann, title: "zinnober challenge")
        let pledge = StakeTerms(
            amount: 10, unit: "points", until: cast.house.now.addingTimeInterval(1e6), isAdult: true)
        _ = try await StakeStore(library: cast.library, limits: StakeLimits(isOn: true)).pledge(
            pledge, at: own, version: 1, by: cast.ann, key: "once")
        let id = try await cast.challenge()
        let attempt = try await cast.attempt("60", at: id, by: cast.ann) {
            $0.text = "zinnober attempt"
            $0.spot = AttemptSpot(point: ChallengeCast.bonn, name: "zinnober place")
        }
        try await cast.attempts.decide(attempt, .reject(why: "Mod says no"), by: cast.mod)
        try await cast.attempts.appeal(attempt, text: "zinnober appeal", by: cast.ann)
        try await cast.attempts.decide(attempt, .verify, by: cast.moe)
        try await cast.house.change("UPDATE accounts SET role = 'moderator' WHERE id = 'id-ann'")
        try await cast.verifiers.choose(cast.vic, at: id, by: cast.ann)
        try await cast.verifiers.choose(cast.ann, at: id, by: cast.mod)
        let other = try await cast.attempt("9", at: id, by: cast.bob) { $0.text = "Bob's words" }
        try await cast.attempts.ask(other, "zinnober question", by: cast.ann)
        try await cast.attempts.vote(.down, on: other, by: cast.ann, from: nil)
        try await cast.attempts.decide(other, .reject(why: "zinnober verdict"), by: cast.ann)
        try await cast.challenges.merge(try await cast.challenge(), into: id, by: cast.ann)
        _ = try await TryCodes(library: cast.library).issue(for: try await cast.rule(id).id, to: cast.ann)
        let sound = try await cast.attempt("70", at: try await cast.challenge(title: "loud"), by: cast.ann) {
            $0.media = [.sound]
        }
        try await cast.attempts.attach(
            AttemptRecording(clip: try await cast.clip(of: cast.ann)), code: AttemptCode(4711), to: sound, by: cast.ann)
        try await cast.visits.choose(
            ChallengeFeed.Locality(ChallengeCast.bonn), name: "zinnober town", for: cast.ann)
        return cast
    }

    @Test func `every column that leads to an account is in her export, or is left out for a reason`() async throws {
        let cast = try await filled()
        let plain = try HubHousehold()
        let core = try await plain.library.reading { database in
            Set(try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
        }
        let leading = try await cast.library.reading { try Self.leading(in: $0, without: core) }
        #expect(leading.sorted() == Self.fates.keys.sorted())
        let export = try await cast.library.export(of: cast.ann)
        let documents = Dictionary(
            uniqueKeysWithValues: export.documents.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) })
        for (column, fate) in Self.fates {
            guard case .held(let document, let text) = fate else { continue }
            #expect(documents[document]?.contains(text) == true, "\(column): \(documents[document] ?? "none")")
        }
        let attempts = try #require(documents["attempts.json"])
        for text in ["zinnober place", "zinnober appeal", "Mod says no", "\"score\" : \"60\"", "Bonn"] {
            #expect(attempts.contains(text), "\(text)")
        }
        // Neither who has judged her nor what others have written.
        for (name, text) in documents where name != "account.json" {
            for word in ["id-mod", "id-moe", "Bob's words"] { #expect(!text.contains(word), "\(name): \(word)") }
        }
    }

    @Test func `an erasure leaves nothing that she has written, but why she decided, without her name`() async throws {
        let cast = try await filled()
        #expect(try await cast.house.traces(of: ["zinnober", "id-ann"]).count > 8)
        _ = try await cast.library.accounts().delete(cast.ann)
        // Why she has decided in office stays with what it was about, as it does of all decisions.
        #expect(try await cast.house.traces(of: ["zinnober", "id-ann"]) == ["verdicts.why"])
        let (broken, chosen, holds) = try await cast.library.reading { database in
            (
                try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count,
                try String.fetchAll(database, sql: "SELECT account FROM verifiers"),
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM holds")
            )
        }
        #expect(broken == 0 && chosen == ["id-vic"] && holds == 0)
    }

    @Test func `a question that was answered leaves its place when who has asked it is erased`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        for verifier in [cast.vic, cast.wim] { try await cast.verifiers.choose(verifier, at: id, by: cast.mod) }
        let attempt = try await cast.attempt("9", at: id, by: cast.bob)
        try await cast.attempts.ask(attempt, "zinnober answered", by: cast.vic)
        try await cast.attempts.ask(attempt, "zinnober waiting", by: cast.vic)
        try await cast.attempts.ask(attempt, "Of another", by: cast.wim)
        let first = try #require(try await cast.attempts.questions(of: attempt, for: cast.bob).first)
        try await cast.attempts.answer(first.sequence, of: attempt, "Both hands", by: cast.bob)
        _ = try await cast.library.accounts().delete(cast.vic)
        let left = try await cast.attempts.questions(of: attempt, for: cast.bob)
        #expect(left.map(\.text) == ["", "Of another"] && left.first?.answer == "Both hands")
        #expect(try await cast.house.traces(of: ["zinnober", "id-vic"]).isEmpty)
    }
}
