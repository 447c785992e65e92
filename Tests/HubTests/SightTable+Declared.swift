/// The rows. Whoever adds an address that shows something of a thing adds it here.
extension SightTable {
    static let all = [clips, items, people, attempts]

    private static let everybody: Set<Role> = [
        .author, .follower, .addressed, .member, .moderator, .owner, .visitor,
    ]
    private static let moderators: Set<Role> = [.moderator, .owner]

    static let clips = SightTable(
        kind: "Clips",
        roles: [.author, .follower, .addressed, .member, .blocked, .moderator, .owner, .visitor],
        names: ["clip", "post", "sequence", "page"],
        things: [
            Thing(name: "public", meaning: "posted for everybody", seers: everybody, isHeard: true),
            Thing(name: "unlisted", meaning: "for whoever has the link", seers: everybody, isHeard: true),
            Thing(
                name: "followers", meaning: "for followers, and whom it names",
                seers: [.author, .follower, .addressed],
                isHeard: true),
            Thing(name: "direct", meaning: "for whom it names", seers: [.author, .addressed], isHeard: true),
            Thing(name: "held", meaning: "waits for a moderator's look", seers: [.author]),
            Thing(name: "hidden", meaning: "taken from sight by a moderator", seers: [.author]),
            Thing(name: "closed", meaning: "posted for everybody by an account that was closed since", seers: []),
            Thing(name: "deleted", meaning: "posted for everybody and removed", seers: [], isGone: true),
        ],
        representations: [
            Representation(name: "page", address: "/c/{clip}", saysGone: true),
            Representation(name: "page of the post", address: "/p/{post}"),
            Representation(name: "embedded player", address: "/embed/{clip}", lens: .everybody),
            Representation(name: "card", address: "/card/{clip}.png", lens: .everybody, evidence: .status),
            Representation(name: "oEmbed", address: "/oembed?url={page}", lens: .everybody),
            Representation(
                name: "sound", address: "/media/{clip}.mp3", lens: .address, evidence: .status, saysGone: true),
            Representation(name: "words, timed", address: "/media/{clip}.vtt", saysGone: true),
            Representation(name: "words, JSON", address: "/api/hub/v1/clips/{clip}/transcript"),
            Representation(
                name: "own words", address: "/c/{clip}/transcript", readers: [.author], saysGone: true),
            Representation(name: "own clip", address: "/api/hub/v1/clips/{clip}", readers: [.author], saysGone: true),
            Representation(name: "removal", address: "/c/{clip}/delete", readers: [.author], saysGone: true),
            Representation(name: "report", address: "/report/posts/{sequence}", readers: members),
            Representation(name: "JSON", address: "/api/v1/statuses/{sequence}"),
            Representation(
                name: "thread, JSON", address: "/api/v1/statuses/{sequence}/context", evidence: .status),
            Representation(
                name: "likes, JSON", address: "/api/v1/statuses/{sequence}/favourited_by", evidence: .status),
            Representation(name: "search by address, JSON", address: "/api/v2/search?q={page}"),
            Representation(name: "ActivityPub", address: "/ap/notes/{post}", lens: .everybody, things: ["public"]),
            Representation(
                name: "ActivityPub, act", address: "/ap/notes/{post}/activity", lens: .everybody, things: ["public"]),
            Representation(
                name: "outbox", address: "/ap/actors/{actor}/outbox?before=1000000", lens: .everybody,
                things: ["public"]),
            Representation(name: "feed", address: "/feed.xml", lens: .everybody, things: ["public"]),
            Representation(name: "JSON feed", address: "/feed.json", lens: .everybody, things: ["public"]),
            Representation(name: "author's feed", address: "/@{author}/feed.xml", lens: .everybody, things: ["public"]),
            Representation(
                name: "author's JSON feed", address: "/@{author}/feed.json", lens: .everybody, things: ["public"]),
            Representation(
                name: "own feed", address: "/feeds/{feed}.xml", things: home.union(["direct"]),
                readers: [.author, .follower], readersOf: ["direct": [.author, .addressed]]),
            Representation(name: "posts, JSON", address: "/api/v1/posts", lens: .everybody, things: ["public"]),
            Representation(name: "public page", address: "/public", things: listed),
            Representation(name: "public, JSON", address: "/api/v1/timelines/public", things: listed),
            Representation(name: "tag", address: "/tags/t{word}", things: listed, evidence: .id),
            Representation(name: "tag, JSON", address: "/api/v1/timelines/tag/t{word}", things: listed, evidence: .id),
            Representation(name: "search", address: "/search?q={word}", things: home, evidence: .id),
            Representation(name: "author's page", address: "/@{author}", things: home),
            Representation(
                name: "author's posts, JSON", address: "/api/v1/accounts/{account}/statuses", things: home),
            Representation(
                name: "home, JSON", address: "/api/v1/timelines/home", things: home, readers: [.author, .follower]),
            Representation(
                name: "messages", address: "/messages", things: ["direct"], readers: [.author, .addressed]),
            Representation(
                name: "messages, JSON", address: "/api/hub/v1/threads", things: ["direct"],
                readers: [.author, .addressed]),
            Representation(
                name: "queue", address: "/moderation/queue", lens: .readers, things: ["held"], readers: moderators),
            Representation(
                name: "queue, JSON", address: "/api/hub/v1/moderation/queue", lens: .readers, things: ["held"],
                readers: moderators),
            Representation(
                name: "sound of the queue", address: "/moderation/queue/{sequence}/sound", lens: .readers,
                things: ["held"], readers: moderators, evidence: .status),
        ])

    /// What public lists may have: authors see there too what others do not see yet, or no longer.
    private static let listed: Set<String> = ["public", "held", "hidden"]
    private static let home: Set<String> = listed.union(["unlisted", "followers"])
    private static let members: Set<Role> = [.author, .follower, .addressed, .member, .blocked, .moderator, .owner]

    static let items = SightTable(
        kind: "Items of boards",
        roles: [.author, .member, .blocked, .moderator, .owner, .visitor],
        names: ["item"],
        things: [
            Thing(name: "open", meaning: "listed", seers: itemSeers),
            Thing(name: "settled", meaning: "come to its end", seers: itemSeers),
            Thing(
                name: "hidden", meaning: "taken from sight by a moderator or by reports", seers: [.author], isGone: true
            ),
            Thing(name: "withdrawn", meaning: "taken back", seers: [.author], isGone: true),
            Thing(name: "draft", meaning: "not released yet", seers: [.author]),
            Thing(name: "shut", meaning: "of an account that was closed since", seers: []),
        ],
        representations: [
            Representation(name: "page", address: "/{board}/{item}", saysGone: true),
            Representation(name: "JSON", address: "/api/hub/v1/{board}/{item}", saysGone: true),
            Representation(name: "list", address: "/{board}?q=", things: ["open"]),
            Representation(name: "list, JSON", address: "/api/hub/v1/{board}", things: ["open"]),
            Representation(
                name: "search, JSON", address: "/api/hub/v1/{board}?q={word}", things: ["open"], evidence: .id),
            Representation(
                name: "JSON feed", address: "/{board}/feed.json", lens: .everybody, things: ["open"]),
            Representation(
                name: "report", address: "/report/items/{item}", readers: [.author, .member, .moderator, .owner]),
            Representation(
                name: "page for a case", address: "/moderation/items/{item}", lens: .readers,
                things: ["open", "settled", "hidden", "withdrawn", "shut"], readers: moderators),
            Representation(
                name: "poster, PDF", address: "/{board}/{item}/poster.pdf", evidence: .status, saysGone: true,
                board: "lost-and-found"),
            Representation(
                name: "comments, JSON", address: "/api/hub/v1/{board}/{item}/comments", evidence: .status,
                saysGone: true, board: "challenges"),
            Representation(
                name: "comments, JSON", address: "/api/hub/v1/{board}/{item}/comments", evidence: .status,
                saysGone: true, board: "beats"),
        ])

    private static let itemSeers: Set<Role> = [.author, .member, .moderator, .owner, .visitor]

    static let people = SightTable(
        kind: "People",
        roles: [.author, .member, .blocked, .moderator, .owner, .visitor],
        names: ["author", "account", "actor"],
        things: [
            Thing(name: "active", meaning: "whose address is confirmed", seers: itemSeers),
            Thing(name: "suspended", meaning: "who may not write for a time", seers: itemSeers),
            Thing(name: "unconfirmed", meaning: "whose address is not confirmed", seers: []),
            Thing(name: "closed", meaning: "closed by a moderator", seers: [], isGone: true),
        ],
        representations: [
            Representation(name: "page", address: "/@{author}"),
            Representation(name: "followers", address: "/@{author}/followers", evidence: .status),
            Representation(name: "following", address: "/@{author}/following", evidence: .status),
            Representation(name: "picture", address: "/@{author}/picture", lens: .everybody, evidence: .status),
            Representation(name: "feed", address: "/@{author}/feed.xml", lens: .everybody),
            Representation(name: "JSON feed", address: "/@{author}/feed.json", lens: .everybody),
            Representation(name: "JSON", address: "/api/v1/accounts/{account}"),
            Representation(name: "JSON by name", address: "/api/v1/accounts/lookup?acct={author}"),
            Representation(
                name: "posts, JSON", address: "/api/v1/accounts/{account}/statuses", evidence: .status),
            Representation(
                name: "followers, JSON", address: "/api/v1/accounts/{account}/followers", evidence: .status),
            Representation(name: "all, JSON", address: "/api/v1/accounts", lens: .everybody),
            Representation(
                name: "search, JSON", address: "/api/v1/accounts/search?q={author}", readers: peopleSearching,
                evidence: .words),
            Representation(name: "search", address: "/search?q={author}"),
            Representation(
                name: "ActivityPub", address: "/ap/actors/{actor}", lens: .everybody, saysGone: true),
            Representation(name: "listings", address: "/lost-and-found/by/{author}", evidence: .status),
            Representation(name: "records", address: "/challenges/by/{author}", evidence: .status),
            Representation(
                name: "records, JSON", address: "/api/hub/v1/challenges/by/{author}/records", evidence: .status),
            Representation(name: "tracks", address: "/beats/by/{author}", evidence: .status),
            Representation(
                name: "report", address: "/report/people/{author}", lens: .everybody,
                readers: [.author, .member, .blocked, .moderator, .owner],
                readersOf: ["suspended": [.member, .blocked, .moderator, .owner]], evidence: .status),
            Representation(
                name: "WebFinger", address: "/.well-known/webfinger?resource=acct:{author}@clips.example.org",
                lens: .everybody, evidence: .status),
        ])

    static let attempts = SightTable(
        kind: "What was sent with attempts",
        roles: [.author, .member, .blocked, .moderator, .owner, .visitor],
        names: ["picture", "film", "clip"],
        things: [
            Thing(name: "shown", meaning: "the attempt waits or is verified", seers: itemSeers, isHeard: true),
            Thing(
                name: "hidden", meaning: "the attempt was taken from sight by a moderator",
                seers: moderators.union([.author])),
            Thing(name: "closed", meaning: "of an account that was closed since", seers: moderators),
        ],
        representations: [
            Representation(name: "picture", address: "/pictures/{picture}-large.jpg", evidence: .status),
            Representation(name: "film", address: "/films/{film}-shown.mp4", evidence: .status),
            Representation(
                name: "film as it is judged", address: "/films/{film}/judged", readers: moderators.union([.author]),
                evidence: .status),
            Representation(name: "sound", address: "/media/{clip}.mp3", lens: .address, evidence: .status),
        ])

    /// By token or session alone.
    private static let peopleSearching: Set<Role> = [.author, .member, .moderator, .owner]
}
