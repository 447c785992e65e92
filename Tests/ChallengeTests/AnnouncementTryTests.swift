import ChirpAccounts
import ChirpBoards
import ChirpCommunity
import ChirpMusic
import ChirpNumbers
import ChirpRecords
import ChirpTestKit
import ChirpWeb
import Foundation
import HubHousehold
import Testing

/// Announcements of records that do not succeed at once.
@Suite struct AnnouncementTryTests {
    private struct Passing: Error {}

    /// Of whatever has a recording the sound is `[1]`, of words alone `[2]`.
    private static func announcements(
        _ cast: ChallengeCast, takeClip: @escaping @Sendable ([UInt8], String, AccountID) async throws -> HubID
    ) -> RecordAnnouncements {
        RecordAnnouncements(
            library: cast.library, publicURL: "https://hub.example",
            announcing: BoardAnnouncing { order in order.sound == nil ? [2] : [1] }
        ) { file, title, owner in try await takeClip(try await file.withBytes { $0 }, title, owner) }
    }

    private static func heard(_ cast: ChallengeCast) async throws -> Int {
        try await cast.library.seen(by: .member(cast.vic)).homeStream(after: 0, limit: 10).count
    }

    /// A challenge that Vic watches, with a first attempt.
    private static func challenge(_ cast: ChallengeCast, title: String) async throws -> HubID {
        let challenge = try await cast.challenge(title: title)
        try await cast.library.mark(challenge, .watch, isOn: true, by: cast.vic)
        try await cast.verified("10", at: challenge, by: cast.ann)
        return challenge
    }

    @Test func `what fails is begun again after a minute, announced once, and holds up no other`() async throws {
        let cast = try await ChallengeCast()
        for title in ["Claps", "Skips"] {
            try await cast.verified("60", at: try await Self.challenge(cast, title: title), by: cast.bob)
        }
        let (isFull, tries) = (Mutexed(true), Mutexed(0))
        let announcements = Self.announcements(cast) { _, words, owner in
            if words.contains("Claps") {
                tries.change { $0 += 1 }
                if isFull.value { throw Passing() }
            }
            return try await cast.clip(of: owner)
        }
        #expect(try await announcements.announce(at: cast.house.now) == 1)
        #expect(try await Self.heard(cast) == 1)
        #expect(try await announcements.wait(at: cast.house.now) == .seconds(60))
        isFull.change { $0 = false }
        cast.house.wait(59)
        #expect(try await announcements.announce(at: cast.house.now) == 0)
        #expect(tries.value == 1)
        cast.house.wait(1)
        #expect(try await announcements.announce(at: cast.house.now) == 1)
        #expect(try await Self.heard(cast) == 2)
        #expect(try await announcements.wait(at: cast.house.now) == nil)
        cast.house.wait(3600)
        #expect(try await announcements.announce(at: cast.house.now) == 0)
        #expect(tries.value == 2)
    }

    @Test func `who does not want it is not announced, from the choice on, and is again from the next one on (OU-6)`()
        async throws
    {
        let cast = try await ChallengeCast()
        let visits = VisitStore(library: cast.library)
        let announcements = Self.announcements(cast) { _, _, owner in try await cast.clip(of: owner) }
        #expect(try await visits.visit(of: cast.bob).isAnnounced)
        try await visits.announce(false, for: cast.bob)
        try await visits.announce(false, for: cast.bob)
        #expect(try await !visits.visit(of: cast.bob).isAnnounced)
        try await cast.verified("60", at: try await Self.challenge(cast, title: "Claps"), by: cast.bob)
        #expect(try await announcements.announce(at: cast.house.now) == 0)
        #expect(try await announcements.wait(at: cast.house.now) == nil)
        #expect(try await Self.heard(cast) == 0)
        // Others are, and what else she has chosen stays.
        try await cast.verified("70", at: try await Self.challenge(cast, title: "Skips"), by: cast.cem)
        #expect(try await announcements.announce(at: cast.house.now) == 1)
        try await visits.introduce(cast.bob)
        try await visits.announce(true, for: cast.bob)
        #expect(try await visits.visit(of: cast.bob).introduced != nil)
        #expect(try await announcements.announce(at: cast.house.now) == 1)
        #expect(try await Self.heard(cast) == 2)
    }

    @Test func `what was begun when its process ended is begun again by the next one`() async throws {
        let cast = try await ChallengeCast()
        try await cast.verified("60", at: try await Self.challenge(cast, title: "Claps"), by: cast.bob)
        let (begun, begins) = AsyncStream<Void>.makeStream()
        let first = Self.announcements(cast) { _, _, _ in
            begins.yield()
            await untilCancelled()
            throw CancellationError()
        }
        let now = cast.house.now
        let task = Task { try await first.announce(at: now) }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let second = Self.announcements(cast) { _, _, owner in try await cast.clip(of: owner) }
        #expect(try await second.announce(at: cast.house.now) == 0)
        cast.house.wait(60)
        #expect(try await second.announce(at: cast.house.now) == 1)
        #expect(try await second.announce(at: cast.house.now) == 0)
        #expect(try await Self.heard(cast) == 1)
    }

    @Test func `a recording that fails each time is left out the twelfth time, within seven hours`() async throws {
        let cast = try await ChallengeCast()
        let challenge = try await Self.challenge(cast, title: "Claps")
        let film = try await cast.film(of: cast.bob)
        let attempt = try await cast.filmed(film, at: challenge, by: cast.bob)
        try await cast.receive(film)
        try await cast.ready(film)
        let deaf = cast.work { () throws(BoardHearing.Failure) in throw .died }
        try await deaf.run(.unresting)
        try await cast.attempts.decide(attempt, .verify, by: cast.mod)
        let sounds = Mutexed<[[UInt8]]>([])
        let announcements = Self.announcements(cast) { sound, _, owner in
            sounds.change { $0.append(sound) }
            guard sound == [2] else { throw Passing() }
            return try await cast.clip(of: owner)
        }
        let begin = cast.house.now
        var posted = try await announcements.announce(at: begin)
        while posted == 0, let wait = try await announcements.wait(at: cast.house.now) {
            cast.house.wait(Double(wait.components.seconds))
            posted += try await announcements.announce(at: cast.house.now)
        }
        #expect(posted == 1 && sounds.value == Array(repeating: [1], count: 11) + [[2]])
        #expect(cast.house.now.timeIntervalSince(begin) < 7 * 3600)
        #expect(try await Self.heard(cast) == 1)
        #expect(try await announcements.wait(at: cast.house.now) == nil)
    }

    @Test func `what fails even without its recording is announced no more`() async throws {
        let cast = try await ChallengeCast()
        try await cast.verified("60", at: try await Self.challenge(cast, title: "Claps"), by: cast.bob)
        let tries = Mutexed(0)
        let announcements = Self.announcements(cast) { _, _, _ in
            tries.change { $0 += 1 }
            throw Passing()
        }
        #expect(try await announcements.announce(at: cast.house.now) == 0)
        while let wait = try await announcements.wait(at: cast.house.now), tries.value < 20 {
            cast.house.wait(Double(wait.components.seconds))
            #expect(try await announcements.announce(at: cast.house.now) == 0)
        }
        #expect(tries.value == 12)
        #expect(try await Self.heard(cast) == 0)
    }
}
