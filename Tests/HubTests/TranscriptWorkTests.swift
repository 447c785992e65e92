import ChirpCommunity
import ChirpHub
import ChirpTestKit
import HubHousehold
import Testing

/// Which clips a program of the hub is asked for words of, and what becomes of its answers (CH-25).
@Suite struct TranscriptWorkTests {
    private static let timed = "WEBVTT\n\n00:00.000 --> 00:02.000\nRain\n"
    private let house: HubHousehold
    private let orders = Mutexed<[Transcribing.Order]>([])
    private let log = Mutexed<[String]>([])

    init() throws { house = try HubHousehold(sound: HubSound(seconds: 3)) }

    /// What a program says, one answer each time; afterwards it says the last again.
    private func work(_ answers: Transcribing.Answer...) -> TranscriptWork {
        let (orders, log) = (orders, log)
        let asked = Mutexed(0)
        let transcribing = Transcribing { order in
            orders.change { $0.append(order) }
            let number = asked.value
            asked.change { $0 += 1 }
            return answers[min(number, answers.count - 1)]
        }
        return TranscriptWork(house.library, transcribing, clock: HurriedClock()) { line in
            log.change { $0.append(line) }
        }
    }

    private func words(_ id: String) async throws -> String? {
        try await house.library.seen(by: .owner).transcript(of: try #require(HubID(id)))?.text
    }

    @Test func `a published clip without words is transcribed once, and one that nobody sees is not`() async throws {
        let id = try await house.publish()
        let hidden = try await house.save(share: false)
        #expect(try await work(.said(Self.timed)).hearWhatWaits())
        let order = try #require(orders.value.first)
        #expect(orders.value.count == 1 && order.path.contains(id) && order.seconds == 3)
        #expect(try await words(id)?.contains("Rain") == true)
        let found = try await house.library.seen(by: .owner).transcript(of: try #require(HubID(id)))
        #expect(found?.source == .hook && found?.isTimed == true)
        // Also by the next process.
        #expect(try await work(.said("Again")).hearWhatWaits())
        #expect(orders.value.count == 1)
        #expect(try await words(hidden) == nil)
    }

    @Test func `the author's words come first`() async throws {
        let id = try await house.publish()
        let clip = try #require(HubID(id))
        let own = try TranscriptDraft("Own", language: "")
        #expect(try await house.library.setTranscript(own, of: clip, by: house.library.owner.id))
        #expect(try await work(.said("Heard")).hearWhatWaits())
        #expect(orders.value.isEmpty)
        #expect(try await words(id) == "Own")
    }

    @Test func `what waits when the process dies is taken up by the next one, but not for ever`() async throws {
        let id = try await house.publish()
        let clip = try #require(HubID(id))
        for _ in 0..<HubLibrary.mostHearings {
            #expect(try await house.library.nextUnheard()?.id == clip)
            #expect(try await house.library.beginHearing(clip))
        }
        #expect(try await house.library.nextUnheard() == nil)
        #expect(try await work(.said("Late")).hearWhatWaits())
        #expect(orders.value.isEmpty)
    }

    @Test func `a program that is not there is asked again, for the same clip`() async throws {
        let id = try await house.publish()
        let missing = Transcribing.Answer.notNow(why: "the program is not there")
        for _ in 0...HubLibrary.mostHearings { #expect(!(try await work(missing).hearWhatWaits())) }
        #expect(try await work(.said("One\nTwo")).hearWhatWaits())
        #expect(try await words(id) == "One\nTwo")
    }

    @Test func `a program that fails is told once, and never asked again about the same clip`() async throws {
        for _ in 0..<3 { try await house.publish() }
        let work = work(.refused(why: "it ended with code 1"))
        #expect(try await work.hearWhatWaits())
        #expect(orders.value.count == 3 && log.value == ["transcribing: it ended with code 1"])
        #expect(try await work.hearWhatWaits())
        #expect(orders.value.count == 3)
    }

    @Test func `what is no transcript is kept by nobody, and stops nothing`() async throws {
        let ids = [try await house.publish(), try await house.publish(), try await house.publish()]
        let broken = "WEBVTT\n\nx --> y\nz"
        let long = String(repeating: "a", count: TranscriptDraft.mostBytes + 1)
        #expect(try await work(.said(broken), .said(long), .said("")).hearWhatWaits())
        #expect(orders.value.count == 3 && log.value.count == 2)
        for id in ids { #expect(try await words(id) == nil) }
        #expect(try await house.library.nextUnheard() == nil)
    }
}
