import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// What is described by speaking is found by what is said, where that was written down.
@Suite(.tags(.computing)) struct ItemTranscriptTests {
    private let world: ItemWorld

    init() async throws { world = try await ItemWorld() }

    /// A clip of somebody's.
    private func clip(_ id: String = HubID().text, of owner: AccountID? = nil) async throws -> HubID {
        try await world.house.change(
            """
            INSERT INTO clips (id, title, fileName, contentType, bytes, sha256, created, owner)
            VALUES ('\(id)', 'Take', 'take.mp3', 'audio/mpeg', 10, 'ab', 0, '\(owner ?? world.ann)')
            """)
        return try #require(HubID(id))
    }

    /// Lists something in which somebody speaks.
    @discardableResult
    private func list(_ title: String, _ clip: HubID, at point: (Double, Double)? = nil) async throws -> HubID {
        var draft = world.draft(title, at: point)
        draft.clip = clip
        return try await world.library.createItem(draft)
    }

    private func say(_ text: String, in clip: HubID, by owner: AccountID? = nil) async throws {
        #expect(try await world.library.setTranscript(TranscriptDraft(text, language: "en"), of: clip, by: owner))
    }

    private func found(_ words: String) async throws -> [String] { try await world.titles(world.query(words)) }

    @Test func `it is found by what is said, whether that was written before or after it was listed`() async throws {
        let (early, late) = (try await clip(), try await clip())
        try await say("She answers to the name of Mimi", in: early)
        try await list("Grey cat", early, at: (50.73, 7.10))
        try await list("Other cat", late)
        #expect(try await found("mimi") == ["Grey cat"])
        #expect(try await found("minka") == [])
        try await say("WEBVTT\n\n00:00.000 --> 00:12.345\nMinka &amp; the <b>séance</b>\n", in: late)
        #expect(try await found("minka") == ["Other cat"])
        #expect(try await found("other SEANCE") == ["Other cat"])
        // The beginning of a word, and words with an area, as everywhere.
        #expect(try await found("answ") == ["Grey cat"])
        let bonn = try world.point(50.73, 7.10)
        #expect(try await world.titles(world.query("name") { $0.area = .circle(bonn, radius: 500) }) == ["Grey cat"])
        // Times and marks are no words.
        for nothing in ["WEBVTT", "00", "345", "amp"] { #expect(try await found(nothing) == [], "\(nothing)") }
        // Nor is anything said a filter.
        try await say("zsopen zbattic", in: late)
        #expect(try await world.titles(world.query { $0.tokens = ["zbattic"] }) == [])
        try await world.checkIndexes()
    }

    @Test func `what is said otherwise, or no more, is found otherwise, or no more`() async throws {
        let clip = try await clip()
        try await list("Keys", clip)
        try await say("a red whistle", in: clip)
        try await say("a green whistle", in: clip, by: world.ann)
        #expect(try await found("red") == [])
        #expect(try await found("green whistle") == ["Keys"])
        // A program's words never take the place of the author's.
        let heard = try TranscriptDraft("a blue whistle", language: "en")
        #expect(try await !world.library.setTranscript(heard, of: clip, by: nil))
        #expect(try await found("green") == ["Keys"])
        try await world.checkIndexes()
        try await say("", in: clip, by: world.ann)
        #expect(try await found("green") == [])
        #expect(try await found("keys") == ["Keys"])
        try await world.checkIndexes()
    }

    @Test func `a voice is gone for others once what it was said about is hidden or taken back`() async throws {
        let clip = try await clip()
        let item = try await list("Keys", clip)
        func isHeard(_ account: AccountID? = nil) async throws -> Bool {
            if case .clip = try await world.reader(account).clip(clip) { true } else { false }
        }
        #expect(try await isHeard())
        for change in ["hidden = 1", "hidden = 0, state = 'withdrawn'"] {
            try await world.house.change("UPDATE items SET \(change)")
            for account in [nil, world.bob] {
                #expect(try await world.reader(account).clip(clip) == .gone, "\(change)")
            }
            #expect(try await isHeard(world.ann))
        }
        try await world.house.change("UPDATE items SET state = 'draft' WHERE id = '\(item)'")
        #expect(try await world.reader().clip(clip) == .nothing)
    }

    @Test func `another clip, none, and clips and authors that go take their words with them`() async throws {
        let (first, second) = (try await clip(), try await clip())
        try await say("first words", in: first)
        try await say("second words", in: second)
        let id = try await list("Bag", first)
        let other = try await list("Same voice", first)
        var draft = world.draft("Bag of two")
        draft.clip = second
        try await world.edit(id, to: draft)
        #expect(try await found("first") == ["Same voice"])
        #expect(try await found("second words") == ["Bag of two"])
        try await world.checkIndexes()
        draft.clip = nil
        draft.text = "Nobody speaks."
        try await world.edit(id, to: draft)
        #expect(try await found("second") == [])
        try await world.checkIndexes()
        // The clip goes, with its transcript, and leaves the item.
        try await world.house.change("DELETE FROM clips WHERE id = '\(first)'")
        #expect(try await found("first") == [])
        #expect(try await found("voice") == ["Same voice"])
        try await world.checkIndexes()
        try await world.move(other, to: .settled, by: world.ann)
        draft.clip = second
        try await world.edit(id, to: draft)
        #expect(try await found("second") == ["Bag of two"])
        // An author who goes takes everything.
        try await world.house.change("DELETE FROM accounts WHERE id = '\(world.ann)'")
        #expect(try await found("second") == [])
        #expect(try await found("") == [])
        try await world.checkIndexes()
    }

    @Test func `whoever is not to see an item does not find it by its voice`() async throws {
        let clip = try await clip()
        try await say("about a violin", in: clip)
        let id = try await list("Case", clip)
        try await world.house.change(
            "INSERT INTO blocks (blocker, blocked, created) VALUES ('\(world.ann)', '\(world.bob)', 0)")
        #expect(try await world.titles(world.query("violin"), for: world.bob) == [])
        #expect(try await world.titles(world.query("violin"), for: world.ann) == ["Case"])
        try await world.move(id, to: .settled, by: world.ann)
        #expect(try await found("violin") == [])
        #expect(try await world.titles(world.query("violin") { $0.states = [.settled] }) == ["Case"])
        try await world.checkIndexes()
    }

    @Test func `a long speech is found by its beginning`() async throws {
        let clip = try await clip()
        try await list("Tale", clip)
        try await say("begun " + String(repeating: "and on ", count: 2000) + "ended", in: clip)
        #expect(try await found("begun") == ["Tale"])
        #expect(try await found("ended") == [])
    }

    @Test func `transcripts of an earlier release are among the words`() async throws {
        let (plain, timed) = (try await clip(), try await clip())
        try await list("Brass", plain)
        try await list("Silver", timed)
        try await say("a horn\nwith dents", in: plain)
        try await say(
            "WEBVTT\n\n00:00.000 --> 00:01.500\nA flute &lt;in C&gt;\n\n01:00:00.000 --> 01:00:02.000\n&amp; a case\n",
            in: timed)
        let spoken = try await spokenWords()
        #expect(spoken == ["A flute <in C> & a case", "a horn\nwith dents"])
        // As that release left the library.
        try await world.house.change(
            """
            DROP TRIGGER itemSpeechAdded; DROP TRIGGER itemSpeechChanged; DROP TRIGGER itemSpeechRemoved;
            DROP TRIGGER itemWordsAdded; DROP TRIGGER itemWordsRemoved; DROP TRIGGER itemWordsChanged;
            DROP VIEW itemTexts; DROP TABLE itemWords;
            ALTER TABLE transcripts DROP COLUMN spoken;
            CREATE TABLE itemWords (a);
            CREATE TRIGGER itemWordsAdded AFTER DELETE ON itemWords BEGIN SELECT 1; END;
            CREATE TRIGGER itemWordsRemoved AFTER DELETE ON itemWords BEGIN SELECT 1; END;
            CREATE TRIGGER itemWordsChanged AFTER DELETE ON itemWords BEGIN SELECT 1; END;
            DELETE FROM grdb_migrations WHERE identifier = 'items-004';
            """)
        let library = try HubHousehold(sharing: world.house).library
        let found = try await library.seen(by: .visitor).items(world.query("flute case"))
        #expect(found.items.map(\.title) == ["Silver"])
        #expect(try await spokenWords() == spoken)
        try await world.checkIndexes()
    }

    private func spokenWords() async throws -> [String] {
        try await world.library.transact {
            try String.fetchAll($0, sql: "SELECT spoken FROM transcripts ORDER BY spoken")
        }
    }
}
