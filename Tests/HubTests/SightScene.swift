import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpFederation
import ChirpHub
import ChirpRecords
import ChirpStores
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// An author and people who stand to that author in each way, at a hub that speaks with others.
struct SightScene {
    typealias Role = SightTable.Role

    let house: HubHousehold
    let cast: HubCast
    private static let handles: [Role: String] = [
        .author: "ann", .follower: "fay", .addressed: "dan", .member: "mel", .blocked: "kit", .moderator: "max",
    ]

    init() throws {
        house = try HubHousehold(boards: Boards.tables)
        cast = HubCast(house: house)
    }

    func application() throws -> some ApplicationProtocol {
        var settings = try cast.settings(limitScale: 1e6)
        settings.federation.isOn = true
        return try house.application(settings).application()
    }

    /// Signs all of them up; gives the author.
    func people() async throws -> HubAccount {
        for (role, handle) in Self.handles where role != .author { try await cast.member(handle) }
        try await house.change("UPDATE accounts SET role = 'moderator' WHERE handle = 'max'")
        return try await author("ann")
    }

    /// Another author whom the follower follows and who has blocked one.
    func author(_ handle: String, isConfirmed: Bool = true) async throws -> HubAccount {
        let author = try await cast.member(handle, isConfirmed: isConfirmed)
        let follower = try await account(.follower).id
        let blocked = try await account(.blocked).id
        for other in [follower, blocked] { try await house.library.follow(author.id, by: other) }
        try await house.library.block(blocked, by: author.id)
        if isConfirmed { try await house.library.federate(author.id, key: try ActorKey().pem) }
        return author
    }

    func account(_ role: Role) async throws -> HubAccount {
        let handle = try #require(Self.handles[role])
        return try #require(try await cast.accounts.account(Handle(typed: handle)))
    }

    /// What each role's browser sends, but for the author's.
    func cookies() async throws -> [Role: String] {
        let link = try await cast.accounts.ownerLink()
        let owner = try await cast.accounts.signIn(byOwnerLink: link.token, agent: "").token.secret.reveal()
        var cookies: [Role: String] = [.owner: "__Host-session=\(owner)"]
        for (role, handle) in Self.handles { cookies[role] = try await cookie(of: handle) }
        return cookies
    }

    func cookie(of handle: String) async throws -> String {
        let password = Secret(HubCast.password)
        let session = try await cast.accounts.signIn(name: handle, password: password, agent: "").token
        return "__Host-session=\(session.secret.reveal())"
    }

    /// The secret of a new feed address.
    func feed(of account: AccountID) async throws -> String {
        try await cast.accounts.newFeedAddress(of: account).secret.reveal()
    }

    /// A word that stands in one thing alone.
    static func word(_ name: String) -> String { "zq\(name)qz" }

    /// A clip of an author's with a post about it and what is said in it; gives the facts that addresses of it have.
    func clip(
        _ name: String, by author: HubAccount, _ visibility: HubPost.Visibility = .published, isHeld: Bool = false
    ) async throws -> [String: String] {
        let word = Self.word(name)
        let clip = HubID()
        let payload = try house.payload([1, 2, 3])
        try Data([1, 2, 3]).write(to: URL(filePath: house.library.media.file(clip)))
        var row = HubClip(
            id: clip, title: "Rain \(word)", fileName: "\(word).mp3", contentType: "audio/mpeg", bytes: 3,
            sha256: payload.sha256, sound: HubSound(seconds: 12, peaks: [10, 200]), created: house.now, expires: nil,
            shared: true)
        row.owner = author.id
        #expect(try await house.library.insert(row) == nil)
        let spoken = try TranscriptDraft("WEBVTT\n\n00:00.000 --> 00:02.000\nSpoken \(word)\n", language: "en")
        #expect(try await house.library.setTranscript(spoken, of: clip, by: author.id))
        var draft = PostDraft(author: author.id, text: "@dan Rain \(word) #t\(word)", key: clip.text)
        draft.clip = clip
        draft.visibility = visibility
        draft.isHeld = isHeld
        let post = try await house.library.post(draft)
        return [
            "clip": clip.text, "post": post.id, "sequence": "\(post.sequence)", "word": word,
            "page": "https%3A%2F%2Fclips.example.org%2Fc%2F\(clip)",
        ].merging(try await facts(of: author)) { $1 }
    }

    /// Somebody's attempt at the follower's challenge, which waits, with a picture, a film and a clip that show it.
    func attempt(_ name: String, by author: HubAccount) async throws -> [String: String] {
        var terms = RuleTemplate.mostInAMinute.terms
        terms.needs = []
        let challenge = try await ChallengeStore(library: house.library).create(
            ChallengeDraft(category: .skill, title: "Claps \(name)"), terms, by: try await account(.follower).id,
            key: name)
        house.wait(1)
        let attempt = try await AttemptStore(library: house.library).begin(
            AttemptDraft(score: "60", done: house.now, version: 1), at: challenge, by: author.id, key: name)
        let (clip, picture, film) = (HubID(), HubID(), HubID())
        let payload = try house.payload([1, 2, 3])
        var row = HubClip(
            id: clip, title: "A take", fileName: "take.mp3", contentType: "audio/mpeg", bytes: 3,
            sha256: payload.sha256, sound: HubSound(seconds: 1, peaks: [10]), created: house.now, expires: nil,
            shared: true)
        row.owner = author.id
        #expect(try await house.library.insert(row) == nil)
        let folders = house.library
        for path in [
            folders.media.file(clip), folders.pictures.file(picture, .large), folders.films.file(film, .plain),
            folders.films.file(film, .shown),
        ] { try Data([1, 2, 3]).write(to: URL(filePath: path)) }
        let sequence = "(SELECT sequence FROM attempts WHERE id = '\(attempt)')"
        try await house.change(
            """
            INSERT INTO pictures (id, owner, state, bytes, sha256, width, height, print, quality, created)
            VALUES ('\(picture)', '\(author.id)', 'ready', 3, '\(payload.sha256)', 1, 1, '', 0, 0);
            INSERT INTO pictureFiles VALUES ('\(picture)', 'large', 3, '\(payload.sha256)', 1, 1);
            INSERT INTO films (id, owner, state, bytes, milliseconds, width, height, sound, created)
            VALUES ('\(film)', '\(author.id)', 'ready', 6, 1000, 640, 360, 1, 0);
            INSERT INTO filmFiles VALUES ('\(film)', 'plain', 3, '\(payload.sha256)'),
                ('\(film)', 'shown', 3, '\(payload.sha256)');
            INSERT INTO itemFilms VALUES ('\(film)', '\(challenge)', 1);
            INSERT INTO itemMedia (picture, item, shown) VALUES ('\(picture)', '\(challenge)', 1);
            INSERT INTO itemMedia (clip, item, shown) VALUES ('\(clip)', '\(challenge)', 1);
            INSERT INTO attemptMedia (attempt, kind, picture) SELECT \(sequence), 'picture', '\(picture)';
            INSERT INTO attemptMedia (attempt, kind, clip) SELECT \(sequence), 'sound', '\(clip)';
            INSERT INTO attemptMedia (attempt, kind, film) SELECT \(sequence), 'video', '\(film)';
            """)
        return [
            "attempt": attempt.text, "clip": clip.text, "picture": picture.text, "film": film.text,
            "word": Self.word(name),
        ]
    }

    /// The facts that addresses of a person have.
    func facts(of author: HubAccount) async throws -> [String: String] {
        let actor = try await house.library.federationActor(of: author.id)?.id ?? HubID().text
        return ["author": author.handle.text, "account": author.id.rawValue, "actor": actor]
    }

    /// The facts of a thing that never was.
    static let nothing: [String: String] = {
        let id = HubID().text
        return [
            "clip": id, "post": id, "item": id, "actor": id, "picture": id, "film": id, "sequence": "999999",
            "author": "nobody",
            "account": "nobody", "page": "https%3A%2F%2Fclips.example.org%2Fc%2F\(id)",
        ]
    }()
}
