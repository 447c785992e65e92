import ChirpAccounts
import ChirpBoards
import ChirpCommunity
import ChirpMusic
import ChirpNumbers
import ChirpRecords
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// What shows an attempt: how it comes in, who may see it, and what is found in it (OU-4, OU-14).
@Suite struct AttemptMediaTests {
    private static let found = SoundFindings(.noStop)

    @Test func `an attempt goes on as its film does, and what was found is told with it, whoever dies`() async throws {
        let cast = try await ChallengeCast()
        let challenge = try await cast.challenge()
        let film = try await cast.film(of: cast.ann, timer: 0)
        let attempt = try await cast.filmed(film, at: challenge, by: cast.ann)
        let asked = Mutexed(0)
        let work = cast.work { () throws(BoardHearing.Failure) in
            asked.change { $0 += 1 }
            if asked.value == 1 { throw .died }
            if asked.value == 2 { throw .notNow("the disk is full") }
            return Self.found
        }
        #expect(try await work.run(.unresting) == 0)
        #expect(try await cast.state(attempt) == .receiving)
        try await cast.receive(film)
        let arrival = cast.house.now
        cast.house.wait(5)
        #expect(try await work.run(.unresting) == 1)
        #expect(try await cast.state(attempt) == .checking)
        let received = try #require(try await cast.attempts.attempt(attempt, for: .member(cast.ann))?.received)
        #expect(received == arrival)
        cast.house.wait(60)
        try await cast.ready(film)
        // It died once, then it could not be; another process asks again.
        #expect(try await work.run(.unresting) == 0)
        #expect(try await cast.state(attempt) == .checking)
        #expect(try await work.run(.unresting) == 1)
        #expect(try await work.run(.unresting) == 0)
        let known = try #require(try await cast.attempts.attempt(attempt, for: .visitor))
        #expect(known.state == .waiting && known.received == received)
        #expect(known.machineFindings == AttemptFindings(sound: Self.found))
        #expect(asked.value == 3)
    }

    @Test func `what listens may die twice, then people listen; a refused film refuses its attempt with the reason`()
        async throws
    {
        let cast = try await ChallengeCast()
        let challenge = try await cast.challenge()
        let film = try await cast.film(of: cast.ann)
        let attempt = try await cast.filmed(film, at: challenge, by: cast.ann)
        try await cast.receive(film)
        try await cast.ready(film)
        let work = cast.work { () throws(BoardHearing.Failure) in throw .died }
        #expect(try await work.bringOn(attempt))
        let known = try #require(try await cast.attempts.attempt(attempt, for: .visitor))
        #expect(known.state == .waiting && known.machineFindings.sound?.trouble == .unheard)

        let bad = try await cast.film(of: cast.bob)
        let refused = try await cast.filmed(bad, at: challenge, by: cast.bob)
        try await cast.receive(bad)
        try await cast.library.refuse(bad, because: "it is no video")
        #expect(try await work.bringOn(refused))
        #expect(try await cast.state(refused) == .rejected)
        let why = try await cast.attempts.rulings(of: refused, for: .member(cast.bob)).map(\.why)
        #expect(why.first?.contains("it is no video") == true)

        // Without sound there is nothing to hear, and nobody is asked.
        let silent = try await cast.film(of: cast.cem)
        let mute = try await cast.filmed(silent, at: challenge, by: cast.cem)
        try await cast.receive(silent)
        try await cast.ready(silent, hasSound: false)
        #expect(try await work.bringOn(mute))
        #expect(
            try await cast.attempts.attempt(mute, for: .visitor)?.machineFindings.sound == SoundFindings(.noSound))
    }

    @Test func `what comes after the time to hand in is refused`() async throws {
        let cast = try await ChallengeCast()
        var terms = ChallengeCast.counting
        terms.event = .init(
            begins: cast.house.now, ends: cast.house.now.addingTimeInterval(600), grace: 60)
        let challenge = try await cast.challenge(terms)
        let film = try await cast.film(of: cast.ann)
        let attempt = try await cast.filmed(film, at: challenge, by: cast.ann)
        cast.house.wait(1000)
        try await cast.receive(film)
        #expect(try await cast.work { Self.found }.bringOn(attempt))
        #expect(try await cast.state(attempt) == .rejected)
    }

    @Test func `what came in time counts, however long the machine is busy with others`() async throws {
        let cast = try await ChallengeCast()
        var terms = ChallengeCast.counting
        terms.event = .init(begins: cast.house.now, ends: cast.house.now.addingTimeInterval(600), grace: 60)
        let challenge = try await cast.challenge(terms)
        let film = try await cast.film(of: cast.ann)
        let filmed = try await cast.filmed(film, at: challenge, by: cast.ann)
        let clip = try await cast.clip(of: cast.bob)
        let heard = try await cast.attempt("60", at: challenge, by: cast.bob) { $0.media = [.sound] }
        cast.house.wait(550)
        let arrival = cast.house.now
        try await cast.attempts.attach(AttemptRecording(clip: clip), to: heard, by: cast.bob)
        try await cast.receive(film)
        cast.house.wait(1000)
        try await cast.ready(film)
        #expect(try await cast.work { Self.found }.run(.unresting) == 2)
        for attempt in [filmed, heard] {
            let known = try #require(try await cast.attempts.attempt(attempt, for: .visitor))
            #expect(known.state == .waiting && known.received == arrival)
        }
    }

    @Test func `only what is hers and shows nothing else shows an attempt`() async throws {
        let cast = try await ChallengeCast()
        let challenge = try await cast.challenge()
        let film = try await cast.film(of: cast.ann)
        let attempt = try await cast.filmed(film, at: challenge, by: cast.ann)
        try await cast.attempts.attach(AttemptRecording(film: film), to: attempt, by: cast.ann)
        let other = try await cast.attempt("61", at: challenge, by: cast.bob) { $0.media = [.video] }
        let (missing, needs) = (
            AttemptRefusal.fields([.media: .missing]), AttemptRefusal.fields([.media: .needs([.video])])
        )
        let clip = try await cast.clip(of: cast.bob)
        #expect(
            try await cast.refusal {
                try await cast.attempts.attach(AttemptRecording(film: film), to: other, by: cast.bob)
            } == missing)
        #expect(
            try await cast.refusal {
                try await cast.attempts.attach(AttemptRecording(clip: clip), to: other, by: cast.bob)
            } == needs)
        #expect(
            try await cast.refusal {
                try await cast.attempts.attach(AttemptRecording(film: film), to: other, by: cast.ann)
            } == .notFound)
        let second = try await cast.challenge(title: "Another")
        let again = try await cast.attempt("61", at: second, by: cast.ann) { $0.media = [.video] }
        #expect(
            try await cast.refusal {
                try await cast.attempts.attach(AttemptRecording(film: film), to: again, by: cast.ann)
            } == missing)
        // What shows an attempt is kept.
        try await cast.receive(film)
        try await cast.ready(film)
        #expect(try await !cast.library.removeFilm(film, of: cast.ann))
        try await cast.attempts.withdraw(attempt, by: cast.ann)
        #expect(try await cast.library.removeFilm(film, of: cast.ann))
    }

    @Test func `sound alone is heard while its attempt is, and an attempt whose sound was deleted is taken back`()
        async throws
    {
        let cast = try await ChallengeCast()
        let challenge = try await cast.challenge()
        let clip = try await cast.clip(of: cast.ann)
        let attempt = try await cast.attempt("60", at: challenge, by: cast.ann) { $0.media = [.sound] }
        try await cast.attempts.attach(AttemptRecording(clip: clip), to: attempt, by: cast.ann)
        func hears() async throws -> Bool {
            if case .clip = try await cast.library.seen(by: .visitor).clip(clip) { return true }
            return false
        }
        #expect(try await !hears())
        #expect(try await cast.work { Self.found }.bringOn(attempt))
        #expect(try await cast.state(attempt) == .waiting)
        #expect(try await hears())
        try await cast.attempts.decide(attempt, .reject(why: "Not heard"), by: cast.mod)
        #expect(try await !hears())
        try await cast.attempts.appeal(attempt, text: "Listen again", by: cast.ann)
        #expect(try await hears())
        try await cast.house.change("UPDATE items SET state = 'withdrawn' WHERE id = '\(challenge)'")
        #expect(try await !hears())
        try await cast.house.change("UPDATE items SET state = 'open' WHERE id = '\(challenge)'")
        try await cast.house.change("DELETE FROM clips WHERE id = '\(clip)'")
        #expect(try await cast.state(attempt) == .withdrawn)
    }

    @Test func `what becomes of an attempt leaves its sound to what else its author has said with it`() async throws {
        let cast = try await ChallengeCast()
        let challenge = try await cast.challenge()
        let (posted, said) = (try await cast.clip(of: cast.ann), try await cast.clip(of: cast.bob))
        var draft = PostDraft(author: cast.ann, text: "Listen", key: "1")
        draft.clip = posted
        _ = try await cast.library.post(draft)
        let comment = try await cast.library.comment(
            CommentDraft(board: Records.board, item: challenge, author: cast.bob, key: "1", text: "", clip: said))
        func hears(_ clip: HubID) async throws -> Bool {
            if case .clip = try await cast.library.seen(by: .visitor).clip(clip) { return true }
            return false
        }
        func handIn(_ clip: HubID, by account: AccountID) async throws -> HubID {
            let attempt = try await cast.attempt("60", at: challenge, by: account) { $0.media = [.sound] }
            try await cast.attempts.attach(AttemptRecording(clip: clip), to: attempt, by: account)
            #expect(try await hears(clip), "others wait for nothing that they heard before")
            #expect(try await cast.work { Self.found }.bringOn(attempt))
            return attempt
        }
        let rejected = try await handIn(posted, by: cast.ann)
        try await cast.attempts.decide(rejected, .reject(why: "Not heard"), by: cast.mod)
        #expect(try await hears(posted))
        let withdrawn = try await handIn(said, by: cast.bob)
        try await cast.attempts.withdraw(withdrawn, by: cast.bob)
        #expect(try await hears(said))
        // A comment that is removed leaves its clip to an attempt.
        let again = try await handIn(said, by: cast.bob)
        try await cast.library.removeComment(comment, by: cast.bob)
        #expect(try await hears(said))
        try await cast.attempts.withdraw(again, by: cast.bob)
        #expect(try await !hears(said))
    }

    @Test func `who judges an attempt sees its film without the timer, and nobody else does`() async throws {
        let cast = try await ChallengeCast()
        let challenge = try await cast.challenge()
        let film = try await cast.film(of: cast.ann, timer: 500)
        let attempt = try await cast.filmed(film, at: challenge, by: cast.ann)
        try await cast.verifiers.choose(cast.vic, at: challenge, by: cast.mod)
        func judged(_ viewer: Viewer) async throws -> String? {
            guard let seen = try await cast.library.seen(by: viewer).judgedFilm(film) else { return nil }
            return String(decoding: seen.file.read(at: 0, count: 50) ?? [], as: UTF8.self)
        }
        func shown(_ viewer: Viewer) async throws -> Bool {
            try await cast.library.seen(by: viewer).film(film, .shown) != nil
        }
        try await cast.receive(film)
        try await cast.ready(film)
        #expect(try await judged(.member(cast.vic)) == nil)
        #expect(try await !shown(.member(cast.vic)))
        #expect(try await cast.work { Self.found }.bringOn(attempt))
        for viewer in [cast.ann, cast.vic, cast.mod] {
            #expect(try await judged(.member(viewer)) == "the plain", "\(viewer)")
        }
        for viewer in [Viewer.visitor, .member(cast.bob), .member(cast.sue)] {
            #expect(try await judged(viewer) == nil, "\(viewer)")
            #expect(try await shown(viewer), "\(viewer)")
            #expect(try await cast.library.seen(by: viewer).film(film, .plain) == nil, "\(viewer)")
        }
        #expect(try await cast.attempts.media(of: attempt, for: .member(cast.vic))?.isJudge == true)
        #expect(try await cast.attempts.media(of: attempt, for: .member(cast.bob))?.isJudge == false)
        // What a moderator has hidden, what was taken back, and what a closed account has sent is judged by nobody else.
        for (change, back) in [
            ("itemParts SET hidden = 1", "itemParts SET hidden = 0"),
            ("items SET state = 'withdrawn'", "items SET state = 'open'"),
            (
                "accounts SET state = 'closed' WHERE handle = 'ann'",
                "accounts SET state = 'active' WHERE handle = 'ann'"
            ),
        ] {
            try await cast.house.change("UPDATE \(change)")
            #expect(try await judged(.member(cast.vic)) == nil, "\(change)")
            #expect(try await !shown(.member(cast.vic)), "\(change)")
            #expect(try await judged(.member(cast.mod)) == "the plain", "\(change)")
            try await cast.house.change("UPDATE \(back)")
            #expect(try await judged(.member(cast.vic)) == "the plain", "\(back)")
        }
        try await cast.attempts.decide(attempt, .reject(why: "No"), by: cast.mod)
        #expect(try await judged(.member(cast.vic)) == nil)
        #expect(try await !shown(.visitor))
        #expect(try await judged(.member(cast.mod)) == "the plain")
    }

    @Test func `sound alone is judged as it was recorded, and meets no rule that needs pictures (OU-14)`() async throws
    {
        let cast = try await ChallengeCast()
        var terms = ChallengeCast.counting
        terms.needs = [.sound]
        let challenge = try await cast.challenge(terms)
        try await cast.verifiers.choose(cast.vic, at: challenge, by: cast.mod)
        let sound = try await cast.film(of: cast.ann)
        let attempt = try await cast.attempt("60", at: challenge, by: cast.ann) { $0.media = [.sound] }
        try await cast.attempts.attach(AttemptRecording(film: sound), to: attempt, by: cast.ann)
        try await cast.receive(sound)
        try await cast.ready(sound, hasPictures: false)
        #expect(try await cast.work { Self.found }.bringOn(attempt))
        #expect(try await cast.state(attempt) == .waiting)
        func judged(_ viewer: Viewer) async throws -> String? {
            guard let seen = try await cast.library.seen(by: viewer).judgedFilm(sound) else { return nil }
            return String(decoding: seen.file.read(at: 0, count: 50) ?? [], as: UTF8.self)
        }
        #expect(try await judged(.member(cast.vic)) == "the sound")
        #expect(try await judged(.member(cast.ann)) == "the sound")
        #expect(try await judged(.member(cast.bob)) == nil)
        let shown = try await cast.library.seen(by: .visitor).film(sound, .shown)
        #expect(shown.map { String(decoding: $0.file.read(at: 0, count: 50) ?? [], as: UTF8.self) } == "the shown")
        #expect(try await cast.library.seen(by: .visitor).film(sound, .poster) == nil)

        terms.needs = [.video]
        let seen = try await cast.challenge(terms, title: "Claps that are seen")
        let other = try await cast.film(of: cast.bob)
        let blind = try await cast.filmed(other, at: seen, by: cast.bob)
        try await cast.receive(other)
        try await cast.ready(other, hasPictures: false)
        #expect(try await cast.work { Self.found }.bringOn(blind))
        #expect(try await cast.state(blind) == .rejected)
        let why = try await cast.attempts.rulings(of: blind, for: .member(cast.bob)).map(\.why)
        #expect(why == ["it has no pictures, and the rule needs some"])
    }

    @Test func `the film of who holds the record shows a challenge, until another holds it (OU-10)`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        func film(for viewer: Viewer = .visitor) async throws -> HubID? {
            let rule = try await cast.rule(id).id
            return try await cast.attempts.films(of: cast.holds.worldHolders(of: [rule], for: viewer).values)[id]
        }
        let first = try await cast.film(of: cast.ann)
        let attempt = try await cast.filmed(first, at: id, by: cast.ann)
        try await cast.receive(first)
        try await cast.ready(first)
        let deaf = cast.work { () throws(BoardHearing.Failure) in throw .died }
        try await deaf.run(.unresting)
        #expect(try await film() == nil)
        try await cast.attempts.decide(attempt, .verify, by: cast.mod)
        #expect(try await film() == first)
        // Whom the viewer does not see shows nothing.
        try await cast.house.change("INSERT INTO blocks (blocker, blocked, created) VALUES ('id-bob', 'id-ann', 0)")
        #expect(try await film(for: .member(cast.bob)) == nil)
        try await cast.verified("70", at: id, by: cast.cem)
        #expect(try await film() == nil)
    }

    @Test func `a film with sound is all that a rule of both needs, and one without is refused`() async throws {
        let cast = try await ChallengeCast()
        var terms = ChallengeCast.counting
        terms.needs = [.sound, .video]
        let id = try await cast.challenge(terms)
        var states: [Attempt.State?] = []
        for (author, hasSound) in [(cast.ann, true), (cast.bob, false)] {
            let film = try await cast.film(of: author)
            let recording = AttemptRecording(film: film)
            let attempt = try await cast.attempt("60", at: id, by: author) {
                $0.media = recording.kinds(for: terms.needs)
            }
            try await cast.attempts.attach(recording, to: attempt, by: author)
            try await cast.receive(film)
            try await cast.ready(film, hasSound: hasSound)
            let work = cast.work { () throws(BoardHearing.Failure) in Self.found }
            #expect(try await work.bringOn(attempt))
            states.append(try await cast.state(attempt))
        }
        #expect(states == [.waiting, .rejected])
        // Where sound is not needed a film is no more than a film.
        #expect(AttemptRecording(film: HubID()).kinds(for: [.video]) == [.video])
        #expect(AttemptRecording(picture: HubID()).kinds(for: [.sound]) == [.picture])
    }
}
