import ChirpAccounts
import ChirpCommunity
import ChirpListings
import Foundation
import GRDB
import HubHousehold
import Testing

/// Claims: what is answered is for the listing's author alone, and one of all is accepted.
@Suite struct ClaimTests {
    @Test func `an answer by voice is heard by its author and the listing's, and by nobody else`() async throws {
        let world = try await ClaimWorld()
        let listing = try await world.place(by: world.ann)
        let clip = try await world.clip(of: world.bob)
        let claim = try await world.claim(listing, by: world.bob, answer: "", clip: clip)
        for account in [world.ann, world.bob] {
            let reader = world.library.seen(by: .member(account))
            #expect(try await reader.sent(clip)?.id == clip)
            let seen = try #require(try await world.claims.claim(claim, for: account))
            #expect(seen.clip == clip && seen.question == "What is in it?" && seen.kind == .mine)
        }
        #expect(try await world.library.seen(by: .member(world.eve)).sent(clip) == nil)
        #expect(try await world.library.seen(by: .visitor).sent(clip) == nil)
        #expect(try await world.claims.claim(claim, for: world.eve) == nil)
        #expect(try await world.claims.claims(of: listing, for: world.eve).isEmpty)
        // No address opens it, not even for the author.
        for viewer in [Viewer.visitor, .member(world.ann), .member(world.eve)] {
            #expect(try await world.library.seen(by: viewer).clip(clip) == .nothing)
        }
        // It is kept for as long as she may hear it.
        world.house.wait(10 * 86_400)
        _ = try await world.library.sweep(at: world.house.now)
        #expect(try await world.library.seen(by: .member(world.ann)).sent(clip) != nil)
        let told = try await world.notices(of: world.ann)
        #expect(told.map(\.kind) == [.claim] && told.first?.item?.id == listing)
    }

    @Test func `a clip of somebody else is no answer`() async throws {
        let world = try await ClaimWorld()
        let listing = try await world.place(by: world.ann)
        let clip = try await world.clip(of: world.eve)
        let refusal = try await world.refusal { try await world.claim(listing, by: world.bob, answer: "", clip: clip) }
        #expect(refusal == .notYours)
        #expect(try await world.claims.claims(of: listing, for: world.ann).isEmpty)
    }

    @Test func `neither one's own listing is claimed, nor one twice, nor one that has ended, nor across a block`()
        async throws
    {
        let world = try await ClaimWorld()
        let listing = try await world.place(by: world.ann)
        #expect(try await world.refusal { try await world.claim(listing, by: world.ann) } == .own)
        #expect(try await world.refusal { try await world.claim(listing, by: world.bob, answer: " \n ") } == .empty)
        let long = String(repeating: "a", count: Claim.longestAnswer + 1)
        #expect(try await world.refusal { try await world.claim(listing, by: world.bob, answer: long) } == .tooLong)
        try await world.claim(listing, by: world.bob)
        #expect(try await world.refusal { try await world.claim(listing, by: world.bob) } == .already)
        let seen = try await world.listing(listing, for: world.eve)
        try await world.library.block(world.eve, by: world.ann)
        #expect(
            try await world.refusal { _ = try await world.claims.claim(seen, by: world.eve, answer: "x", clip: nil) }
                == .notFound)
        try await world.library.unblock(world.eve, by: world.ann)
        try await world.store.settle(listing, as: .returned, by: world.ann)
        let refusal = try await world.refusal {
            _ = try await world.claims.claim(seen, by: world.eve, answer: "x", clip: nil)
        }
        guard case .ended(.settled, _)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    @Test func `ten claims a day, and three at one listing`() async throws {
        let world = try await ClaimWorld()
        for number in 0..<Claim.mostPerDay {
            try await world.claim(try await world.place(by: world.ann, title: "Key \(number)"), by: world.bob)
        }
        let other = try await world.place(by: world.ann)
        guard case .tooOften(let seconds)? = try await world.refusal({ try await world.claim(other, by: world.bob) })
        else { throw ClaimWorld.Missing() }
        #expect((86_000...86_401).contains(seconds))
        world.house.wait(Double(seconds) + 1)
        for _ in 0..<Claim.mostPerListing {
            let claim = try await world.claim(other, by: world.bob)
            try await world.claims.refuse(claim, by: world.ann)
        }
        #expect(try await world.refusal { try await world.claim(other, by: world.bob) } == .enough)
    }

    @Test func `of fifty who accept at once one does, and of two claims one is accepted`() async throws {
        let world = try await ClaimWorld()
        let listing = try await world.place(by: world.ann)
        let mine = [try await world.claim(listing, by: world.bob), try await world.claim(listing, by: world.eve)]
        let won = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let claim = mine[number % 2]
                    return try await world.refusal {
                        try await world.claims.accept(claim, by: world.ann, greeting: "Hello")
                    } == nil
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(won == 1)
        let states = try await world.claims.claims(of: listing, for: world.ann).map(\.state)
        #expect(states.sorted { $0.rawValue < $1.rawValue } == [.accepted, .open])
        #expect(
            try await world.refusal { try await world.claims.accept(mine[0], by: world.bob, greeting: "") } == .notFound
        )
    }

    @Test func `who is accepted sees the place itself, and a conversation opens once, also after a death`() async throws
    {
        let world = try await ClaimWorld()
        let listing = try await world.place(by: world.ann)
        let claim = try await world.claim(listing, by: world.bob)
        #expect(try await world.listing(listing, for: world.bob).item.place?.exact == nil)
        // The process dies between the commit and the letter.
        try await world.claims.accept(claim, by: world.ann, greeting: "Hello Bob")
        #expect(try await world.letters(to: world.bob).isEmpty)
        #expect(try await world.listing(listing, for: world.bob).item.place?.exact != nil)
        #expect(try await world.listing(listing, for: world.eve).item.place?.exact == nil)
        for _ in 0..<2 { try await world.claims.sweep(links: ClaimWorld.links, under: PostingPolicy()) }
        try await world.claims.greet(claim, links: ClaimWorld.links, under: PostingPolicy())
        let letters = try await world.letters(to: world.bob)
        #expect(letters == ["@bob Hello Bob\nhttps://clips.example.org/lost-and-found/\(listing)"])
        #expect(try await world.notices(of: world.bob).map(\.kind).filter { $0 == .claim }.count == 1)
        // It was not his after all.
        try await world.claims.refuse(claim, by: world.ann)
        #expect(try await world.listing(listing, for: world.bob).item.place?.exact == nil)
        let other = try await world.claim(listing, by: world.eve)
        try await world.claims.accept(other, by: world.ann, greeting: "")
        #expect(try await world.claims.claim(other, for: world.eve)?.state == .accepted)
    }

    @Test func `a greeting is for the claimant alone, and counts as a letter`() async throws {
        let world = try await ClaimWorld()
        let listing = try await world.place(by: world.ann)
        try await world.place(by: world.eve, .lost, title: "My keys")
        let claim = try await world.claim(listing, by: world.bob)
        try await world.claims.accept(
            claim, by: world.ann, greeting: "Hello, also to @eve and (@eve) https://a.example")
        try await world.claims.greet(claim, links: ClaimWorld.links, under: PostingPolicy())
        #expect(try await world.letters(to: world.eve).isEmpty)
        #expect(try await world.notices(of: world.eve).allSatisfy { $0.kind != .mention })
        let letters = try await world.letters(to: world.bob)
        #expect(letters.count == 1 && letters[0].contains("(@\u{2060}eve) https://a.example"))
        let counted = try await world.library.reading { database in
            try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM recentPosts WHERE account = ?", arguments: [world.ann])
        }
        #expect(counted == 1)
    }

    @Test func `who may not write now greets later, and holds up nobody else`() async throws {
        let world = try await ClaimWorld()
        var few = PostingPolicy()
        few.perHour = 1
        var claims: [HubID] = []
        for owner in [world.ann, world.ann, world.eve] {
            let claim = try await world.claim(try await world.place(by: owner), by: world.bob)
            try await world.claims.accept(claim, by: owner, greeting: "Hello")
            claims.append(claim)
        }
        try await world.claims.sweep(links: ClaimWorld.links, under: few)
        #expect(try await world.letters(to: world.bob).count == 2)
        world.house.wait(3601)
        try await world.claims.sweep(links: ClaimWorld.links, under: few)
        #expect(try await world.letters(to: world.bob).count == 3)
    }

    @Test func `what was answered is forgotten when it has led to nothing`() async throws {
        let world = try await ClaimWorld()
        let listing = try await world.place(by: world.ann)
        let clip = try await world.clip(of: world.bob)
        let claim = try await world.claim(listing, by: world.bob, answer: "Mine", clip: clip)
        try await world.claims.withdraw(claim, by: world.bob)
        #expect(try await world.claims.claim(claim, for: world.ann)?.answer == "")
        #expect(try await world.library.unfilteredClip(clip) == nil)
        #expect(
            try await world.refusal { try await world.claims.accept(claim, by: world.ann, greeting: "") }
                == .decided(.withdrawn))
        let second = try await world.claim(listing, by: world.eve, answer: "No, mine")
        try await world.store.settle(listing, as: .returned, by: world.ann)
        try await world.claims.sweep(links: ClaimWorld.links, under: PostingPolicy())
        #expect(try await world.claims.claim(second, for: world.eve)?.state == .refused)
        #expect(try await world.claims.claim(second, for: world.eve)?.answer == "No, mine")
        world.house.wait(Claim.memory + 1)
        try await world.claims.sweep(links: ClaimWorld.links, under: PostingPolicy())
        #expect(try await world.claims.claim(second, for: world.eve)?.answer == "")
    }

    @Test func `a claim that ends, by whoever ends it, leaves the clip to what else its maker has said with it`()
        async throws
    {
        let world = try await ClaimWorld()
        func isHeard(_ clip: HubID) async throws -> Bool {
            if case .clip = try await world.library.seen(by: .visitor).clip(clip) { true } else { false }
        }
        func post(_ clip: HubID) async throws -> Int64 {
            var draft = PostDraft(author: world.bob, text: "Listen", key: clip.text)
            draft.clip = clip
            return try await world.library.post(draft).sequence
        }
        let (first, second) = (try await world.clip(of: world.bob), try await world.clip(of: world.bob))
        for clip in [first, second] { _ = try await post(clip) }
        let taken = try await world.claim(try await world.place(by: world.ann), by: world.bob, clip: first)
        let refused = try await world.claim(
            try await world.place(by: world.ann, title: "A key"), by: world.bob, clip: second)
        try await world.claims.withdraw(taken, by: world.bob)
        try await world.claims.refuse(refused, by: world.ann)
        world.house.wait(Claim.memory + 1)
        try await world.claims.sweep(links: ClaimWorld.links, under: PostingPolicy())
        #expect(try await world.claims.claim(refused, for: world.bob)?.clip == nil)
        for clip in [first, second] {
            #expect(try await isHeard(clip))
            #expect(FileManager.default.fileExists(atPath: "\(world.house.mediaFolder)/\(clip).mp3"))
        }
        // And the other way round: a post that is removed leaves it to the claim, which its listing's author alone hears.
        let third = try await world.clip(of: world.bob)
        let place = try await post(third)
        let kept = try await world.claim(
            try await world.place(by: world.ann, title: "A hat"), by: world.bob, clip: third)
        #expect(try await world.library.removePost(place, by: world.bob))
        #expect(try await !isHeard(third))
        #expect(try await world.library.seen(by: .member(world.ann)).sent(third)?.id == third)
        try await world.claims.withdraw(kept, by: world.bob)
        #expect(try await world.library.unfilteredClip(third) == nil)
    }

    @Test func `ten strangers a day are written to, others are written to as ever`() async throws {
        let world = try await ClaimWorld()
        for number in 0..<12 {
            let owner = try await world.house.person("owner\(number)")
            try await world.place(by: owner, .lost, title: "Dog \(number)", category: .pets)
        }
        for number in 0..<10 { #expect(try await world.write(to: ["owner\(number)"]) == nil) }
        guard case .strangers(let seconds)? = try await world.write(to: ["owner10"]) else { throw ClaimWorld.Missing() }
        #expect((86_000...86_400).contains(seconds))
        // The same once more, somebody who lists nothing, and who follows him.
        #expect(try await world.write(to: ["owner3"]) == nil)
        #expect(try await world.write(to: ["eve"]) == nil)
        try await world.library.follow(world.bob, by: AccountID(rawValue: "id-owner11"))
        #expect(try await world.write(to: ["owner11"]) == nil)
        world.house.wait(Double(seconds))
        #expect(try await world.write(to: ["owner10"]) == nil)
    }

    @Test func `claims and letters count together, so that ten strangers a day are reached and not twenty`()
        async throws
    {
        let world = try await ClaimWorld()
        var listings: [HubID] = []
        for number in 0..<13 {
            let owner = try await world.house.person("owner\(number)")
            listings.append(try await world.place(by: owner, title: "Wallet \(number)"))
        }
        for number in 0..<5 { #expect(try await world.write(to: ["owner\(number)"]) == nil) }
        for number in 5..<10 { try await world.claim(listings[number], by: world.bob) }
        guard case .strangers(let seconds)? = try await world.write(to: ["owner10"]) else { throw ClaimWorld.Missing() }
        #expect((86_000...86_400).contains(seconds))
        let seen = try await world.listing(listings[11], for: world.bob)
        #expect(
            try await world.refusal { try await world.claim(listings[11], by: world.bob) }
                == .strangers(seconds: seconds))
        #expect(
            try await world.refusal { try await world.claims.check(seen, by: world.bob) }
                == .strangers(seconds: seconds))
        #expect(try await world.claims.claims(for: world.bob).count == 5)
        // Who was reached in one way is reached in the other, and so is who knows him.
        #expect(try await world.write(to: ["owner7"]) == nil)
        try await world.claim(listings[2], by: world.bob)
        try await world.library.follow(world.bob, by: AccountID(rawValue: "id-owner12"))
        try await world.claim(listings[12], by: world.bob)
        world.house.wait(Double(seconds))
        #expect(try await world.write(to: ["owner10"]) == nil)
        try await world.claim(listings[11], by: world.bob)
    }

    @Test func `posts that others see too count for those whom they name, but for whom they answer`() async throws {
        let world = try await ClaimWorld()
        for number in 0..<12 {
            let owner = try await world.house.person("owner\(number)")
            try await world.place(by: owner, .lost, title: "Dog \(number)", category: .pets)
        }
        #expect(try await world.write(to: ["owner0", "owner1", "owner2", "owner3"], .published) == nil)
        #expect(try await world.write(to: ["owner4", "owner5", "owner6"], .followers) == nil)
        #expect(try await world.write(to: ["owner7", "owner8"], .unlisted) == nil)
        // All of them or none: a post that names two is not told to one.
        guard case .strangers? = try await world.write(to: ["owner9", "owner10"], .published) else {
            throw ClaimWorld.Missing()
        }
        #expect(try await world.write(to: ["owner9"], .direct) == nil)
        for visibility in HubPost.Visibility.allCases {
            guard case .strangers? = try await world.write(to: ["owner10"], visibility) else {
                throw ClaimWorld.Missing()
            }
        }
        // Who has spoken in public is answered in public, and in no other way.
        let owner = AccountID(rawValue: "id-owner10")
        let said = try await world.library.post(PostDraft(author: owner, text: "Have you seen it?", key: "said"))
        #expect(try await world.write(to: ["owner10"], .published, answering: said) == nil)
        guard case .strangers? = try await world.write(to: ["owner10"], .direct, answering: said) else {
            throw ClaimWorld.Missing()
        }
        guard case .strangers? = try await world.write(to: ["owner11"], .published, answering: said) else {
            throw ClaimWorld.Missing()
        }
        #expect(try await world.write(to: ["eve"], .published) == nil)
    }
}

extension ClaimWorld {
    /// Bob writes to people that he may not know; gives why he could not.
    fileprivate func write(
        to names: [String], _ visibility: HubPost.Visibility = .direct, answering post: HubPost? = nil
    ) async throws -> PostingRefusal? {
        let names = names.map { "@\($0)" }.joined(separator: " ")
        var draft = PostDraft(author: bob, text: "\(names) I have your dog", key: UUID().uuidString)
        (draft.visibility, draft.replyTo) = (visibility, post?.sequence)
        do throws(PostingRefusal) {
            _ = try await library.post(draft, under: PostingPolicy(scale: 1000))
            return nil
        } catch { return error }
    }
}
