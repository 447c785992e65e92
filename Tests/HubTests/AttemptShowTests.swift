import ChirpAccounts
import ChirpBoards
import ChirpCommunity
import ChirpHub
import ChirpRecords
import ChirpStores
import Foundation
import HubHousehold
import Hummingbird
import Testing

/// When the recording of an attempt has a player in its page (OU-14).
@Suite struct AttemptShowTests {
    @Test func `an attempt has a player once it waits, and none while it is checked or rejected`() async throws {
        let cast = HubCast(house: try HubHousehold(boards: [Records.tables]))
        let house = cast.house
        let attempts = AttemptStore(library: house.library)
        let (sue, ann) = (try await cast.member("sue"), try await cast.member("ann"))
        let mod = try await cast.member("judy")
        try await house.change("UPDATE accounts SET role = 'moderator' WHERE handle = 'judy'")
        var terms = RuleTemplate.mostInAMinute.terms
        terms.needs = [.sound]
        let id = try await ChallengeStore(library: house.library).create(
            ChallengeDraft(category: .skill, title: "Claps in a minute"), terms, by: sue.id, key: "k")
        let clip = HubID()
        let sound = Array("sound".utf8)
        try Data(sound).write(to: URL(filePath: house.library.media.file(clip)))
        let payload = try house.payload(sound)
        var take = HubClip(
            id: clip, title: "A take", fileName: "take.mp3", contentType: "audio/mpeg", bytes: payload.bytes,
            sha256: payload.sha256, sound: HubSound(seconds: 1, peaks: [10, 200]), created: house.now, expires: nil,
            shared: false)
        take.owner = ann.id
        #expect(try await house.library.insert(take) == nil)
        house.wait(1)
        var draft = AttemptDraft(score: "60", done: house.now, version: 1)
        draft.media = [.sound]
        let attempt = try await attempts.begin(draft, at: id, by: ann.id, key: "k")
        try await attempts.attach(AttemptRecording(clip: clip), to: attempt, by: ann.id)
        var settings = try cast.settings(limitScale: 100)
        settings.boards = [Records.board]
        try await house.application(settings).application().test(.router) { client in
            let (path, player) = ("/challenges/attempts/\(attempt)", "src=\"/media/\(clip).mp3\"")
            let (annie, judy) = (
                try await cast.browser(of: "ann", client), try await cast.browser(of: "judy", client)
            )
            let visitor = Visitor(client)
            func has<R>(_ browser: Visitor<R>) async throws -> Bool? {
                let page = try await browser.get(path)
                return page.status == .ok ? page.text.contains(player) : nil
            }
            #expect(try await attempts.attempt(attempt, for: .member(ann.id))?.state == .checking)
            #expect(try await has(annie) == false)
            #expect(try await has(judy) == false)
            #expect(try await has(visitor) == nil)
            let work = AttemptMediaWork(attempts, hearing: nil)
            let done = try await work.run(.unresting)
            #expect(done == 1)
            #expect(try await attempts.attempt(attempt, for: .visitor)?.state == .waiting)
            for browser in [annie, judy, visitor] { #expect(try await has(browser) == true) }
            try await attempts.decide(attempt, .verify, by: mod.id)
            for browser in [annie, judy, visitor] { #expect(try await has(browser) == true) }
            try await attempts.decide(attempt, .reject(why: "Not heard"), by: mod.id)
            #expect(try await has(annie) == false)
            #expect(try await has(judy) == false)
            #expect(try await has(visitor) == nil)
        }
    }
}
