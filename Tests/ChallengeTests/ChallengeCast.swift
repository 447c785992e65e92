import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpRecords
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// A library with the board's tables, and people: Sue sets challenges, Ann, Bob and Cem try them, Vic and Wim verify, Mod and Moe
/// moderate.
struct ChallengeCast {
    let house: HubHousehold
    let sue, ann, bob, cem, vic, wim, mod, moe: AccountID
    let gazetteer: Gazetteer
    var attempts: AttemptStore { AttemptStore(library: library, gazetteer: gazetteer) }

    var library: HubLibrary { house.library }
    var challenges: ChallengeStore { ChallengeStore(library: library) }
    var holds: HoldStore { HoldStore(library: library) }
    var news: RecordNews { RecordNews(library: library) }
    var visits: VisitStore { VisitStore(library: library) }
    var verifiers: Verifiers { Verifiers(library: library) }

    init() async throws {
        house = try HubHousehold(boards: [Records.tables])
        (sue, ann, bob, cem) = (Self.id("sue"), Self.id("ann"), Self.id("bob"), Self.id("cem"))
        (vic, wim, mod, moe) = (Self.id("vic"), Self.id("wim"), Self.id("mod"), Self.id("moe"))
        // All at once: each transaction is written through to the disk.
        try await house.change(
            """
            INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
            SELECT 'id-' || value, value, value, value, iif(value IN ('mod', 'moe'), 'moderator', 'member'), 'active', 0
            FROM json_each('["sue", "ann", "bob", "cem", "vic", "wim", "mod", "moe"]')
            """)
        gazetteer = try Self.gazetteer(in: house)
    }

    /// Gives somebody a mailbox.
    func mail(_ account: AccountID, _ mail: String) async throws {
        try await house.change("UPDATE accounts SET mail = '\(mail)' WHERE id = '\(account)'")
    }

    private static func id(_ name: String) -> AccountID { AccountID(rawValue: "id-\(name)") }

    static let bonn = GeoPoint(nearLatitude: 50.7339, longitude: 7.0997)
    static let cologne = GeoPoint(nearLatitude: 50.9413, longitude: 6.9583)
    static let liege = GeoPoint(nearLatitude: 50.6451, longitude: 5.5734)

    private static func gazetteer(in house: HubHousehold) throws -> Gazetteer {
        func town(_ id: Int, _ name: String, _ latitude: Double, _ longitude: Double, _ country: String) -> String {
            [
                "\(id)", name, name, "", "\(latitude)", "\(longitude)", "P", "PPL", country, "", "07", "", "", "",
                "300000", "", "60", "UTC", "2014-01-01",
            ].joined(separator: "\t")
        }
        let files = [
            (
                "cities15000.txt",
                [
                    town(1, "Bonn", 50.73438, 7.09549, "DE"), town(2, "Köln", 50.93333, 6.95, "DE"),
                    town(3, "Liège", 50.63373, 5.56749, "BE"),
                ].joined(separator: "\n")
            ),
            ("admin1Codes.txt", "DE.07\tNorth Rhine-Westphalia\tNorth Rhine-Westphalia\t1"),
            ("countryInfo.txt", "DE\tDEU\t276\tGM\tGermany\nBE\tBEL\t56\tBE\tBelgium"),
        ]
        for (name, text) in files {
            try "\(text)\n".write(toFile: house.folder.path(name), atomically: true, encoding: .utf8)
        }
        try Gazetteer.make(from: house.folder.path(""), at: house.folder.path("places.sqlite"))
        return try Gazetteer(path: house.folder.path("places.sqlite"))
    }

    /// Most of something in a minute, without media, so that an attempt waits at once.
    static var counting: RuleTerms {
        var terms = RuleTemplate.mostInAMinute.terms
        terms.needs = []
        return terms
    }

    /// Sets a challenge.
    @discardableResult
    func challenge(
        _ terms: RuleTerms = ChallengeCast.counting, by setter: AccountID? = nil, title: String = "Claps in a minute",
        _ change: (inout ChallengeDraft) -> Void = { _ in }
    ) async throws -> HubID {
        var draft = ChallengeDraft(category: .skill, title: title)
        change(&draft)
        return try await challenges.create(draft, terms, by: setter ?? sue, key: UUID().uuidString)
    }

    func rule(_ challenge: HubID) async throws -> Rule {
        try #require(try await challenges.rules(of: challenge, for: .member(mod)).first)
    }

    /// Hands one in; a second later, so that no two are received at once.
    @discardableResult
    func attempt(
        _ score: String, at challenge: HubID, by account: AccountID, version: Int = 1, key: String = UUID().uuidString,
        _ change: (inout AttemptDraft) -> Void = { _ in }
    ) async throws -> HubID {
        house.wait(1)
        var draft = AttemptDraft(score: score, done: house.now, version: version)
        change(&draft)
        return try await attempts.begin(draft, at: challenge, by: account, key: key)
    }

    /// Hands one in, and has a moderator verify it.
    @discardableResult
    func verified(
        _ score: String, at challenge: HubID, by account: AccountID,
        _ change: (inout AttemptDraft) -> Void = { _ in }
    ) async throws -> HubID {
        let attempt = try await attempt(score, at: challenge, by: account, change)
        try await attempts.decide(attempt, .verify, by: mod)
        return attempt
    }

    func state(_ attempt: HubID) async throws -> Attempt.State? {
        try await attempts.attempt(attempt, for: .member(mod))?.state
    }

    /// Who holds the world's record, and who held it: handles and scores.
    func world(_ challenge: HubID) async throws -> [String] {
        try await history(challenge, .world)
    }

    func history(_ challenge: HubID, _ area: RecordArea) async throws -> [String] {
        let rule = try await rule(challenge)
        return try await holds.history(of: rule.id, in: area, for: .visitor).map {
            "\($0.person?.handle ?? "?") \(rule.terms.text($0.score))"
        }
    }

    /// What an act is refused for; nil when it is not.
    func refusal(_ act: () async throws -> Void) async throws -> AttemptRefusal? {
        do { try await act() } catch let refusal as AttemptRefusal { return refusal }
        return nil
    }

    /// The rows of a table, as text.
    func rows(_ table: String, _ order: String) async throws -> [String] {
        try await library.reading { database in
            try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY \(order)").map { "\($0)" }
        }
    }
}

/// Expects a refusal of an act on challenges.
func expectRefusal(
    _ refusal: ChallengeRefusal, _ act: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) async {
    let thrown = await #expect(throws: ChallengeRefusal.self, sourceLocation: sourceLocation) { try await act() }
    #expect(thrown == refusal, sourceLocation: sourceLocation)
}
