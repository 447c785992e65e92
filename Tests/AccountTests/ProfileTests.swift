import ChirpAccounts
import ChirpCore
import Testing

@Suite struct ProfileTests {
    @Test func `a profile is plain text, and an empty name is the handle`() async throws {
        let world = try AccountWorld()
        let ann = try await world.member("ann")
        try await world.accounts.setProfile(of: ann.id, name: " Ann\u{202E} \u{1B}[2JSmith\n", bio: "I\nspeak")
        let named = try #require(try await world.accounts.account(ann.id))
        #expect(named.name == "Ann [2JSmith" && named.bio == "I speak")
        try await world.accounts.setProfile(of: ann.id, name: "", bio: "")
        #expect(try await world.accounts.account(ann.id)?.name == "ann")
    }

    @Test func `what somebody is here for is kept, replaced and goes with the account`() async throws {
        let world = try AccountWorld(hasOwner: true)
        let ann = try await world.member("ann")
        try await world.accounts.setProfile(of: ann.id, name: "Ann", bio: "", tags: [.artist, .producer])
        #expect(try await world.accounts.tags(of: ann.id) == [.producer, .artist])
        try await world.accounts.setProfile(of: ann.id, name: "Ann", bio: "I speak")
        #expect(try await world.accounts.tags(of: ann.id) == [.producer, .artist])
        try await world.accounts.setProfile(of: ann.id, name: "Ann", bio: "", tags: [.user])
        #expect(try await world.accounts.tags(of: ann.id) == [.user])
        _ = try await world.accounts.delete(ann.id)
        #expect(try await world.rows("tags4people") == 0)
    }

    @Test func `what is too long is refused and changes nothing`() async throws {
        let world = try AccountWorld()
        let ann = try await world.member("ann")
        // One character of 25 bytes; 60 of a name are 240 bytes at most, and 500 of a bio 2000.
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
        for (name, bio) in [
            (String(repeating: "a", count: 61), ""), ("Ann", String(repeating: "b", count: 501)),
            (String(repeating: family, count: 10), ""), ("Ann", String(repeating: family, count: 81)),
        ] {
            await #expect(throws: AccountError.self) {
                try await world.accounts.setProfile(of: ann.id, name: name, bio: bio)
            }
        }
        #expect(try await world.accounts.account(ann.id)?.name == "ann")
        // The longest that any script needs is taken.
        let (name, bio) = (String(repeating: "\u{1F469}", count: 60), String(repeating: "\u{6587}", count: 500))
        try await world.accounts.setProfile(of: ann.id, name: name, bio: bio)
        #expect(try await world.accounts.account(ann.id)?.name == name)
    }

    @Test func `a deleted account is gone with its sessions`() async throws {
        let world = try AccountWorld(hasOwner: true)
        let ann = try await world.member("ann")
        let session = try await world.signIn("ann")
        guard case .deleted(let mail)? = try await world.accounts.delete(ann.id) else {
            throw AccountWorld.Unexpected()
        }
        #expect(mail.text == "ann@example.org")
        #expect(try await world.accounts.account(of: session.token) == nil)
        #expect(try await world.accounts.delete(ann.id) == nil)
    }

    @Test func `the owner stays as long as the hub does`() async throws {
        let world = try AccountWorld(hasOwner: true)
        let owner = try #require(try await world.accounts.owner())
        await #expect(throws: AccountError.self) { try await world.accounts.delete(owner.id) }
        #expect(try await world.accounts.owner() != nil)
    }
}
