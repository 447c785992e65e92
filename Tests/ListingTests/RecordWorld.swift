import ChirpAccounts
import ChirpCommunity
import ChirpListings
import Foundation
import GRDB
import HubHousehold

/// A hub with somebody in every table that leads to an account, beside two others. All that names her or that she has typed holds
/// ``mark``; nothing of the others does but one post that names her.
struct RecordWorld {
    static let mark = "zinnober"
    /// In her secrets, which are nobody's to take along.
    static let secret = "zinnobersecret"
    static let handle = "zinnoberine"

    let house: HubHousehold
    let her: AccountID
    let bob: AccountID
    let boards = [Listings.tables]

    init() async throws {
        house = try HubHousehold(boards: boards)
        her = try await house.person(Self.handle)
        bob = try await house.person("bob")
        _ = try await house.person("eve")
        for sql in [Self.account, Self.posts, Self.items, Self.cases, Self.told, Self.federation] {
            try await house.change(Self.told(sql))
        }
    }

    /// How the rows of a table and column that lead to an account fare when she takes along what is hers.
    enum Fate {
        /// In a document, where this is to be found.
        case held(_ document: String, _ text: String)
        /// In none, for a reason.
        case left(_ why: String)
    }

    /// What every column is that refers to accounts, and in tables without one that which refers to a row of such a table.
    static let fates: [String: Fate] = [
        "accounts.id": .held("account.json", "zinnober bio"),
        "alertCells.alert": .left("made from the search"),
        "alertHits.alert": .left("what others list, found by the search"),
        "alertHits.item": .left("whose search found it is others'"),
        "alerts.account": .held("alerts.json", "zinnober alert"),
        "blocks.blocked": .left("who has blocked her is theirs"),
        "blocks.blocker": .held("people.json", "eve"),
        "cases.about": .held("cases.json", "zinnober answer"),
        "cases.account": .held("cases.json", "zinnober appeal"),
        "changedFeeds.account": .left("waits to be told to a hub of feeds, for two days"),
        "claims.claimant": .held("claims.json", "zinnober claim"),
        "claims.owner": .left("what others have answered is theirs"),
        "clipHearers.account": .left("what others have answered is theirs"),
        "clips.owner": .held("clips.json", "zinnober clip"),
        "codes.account": .left("a secret, for minutes"),
        "comments.account": .held("comments.json", "zinnober comment"),
        "decisions.account": .held("cases.json", "Too loud"),
        "decisions.by": .held("cases.json", "Decided in office"),
        "drafts.id": .held("drafts.json", "zinnober draft"),
        "federationActivities.actor": .left("waits to be told to other servers, for two weeks"),
        "federationActors.account": .held("federation.json", "\"isOn\" : true"),
        "federationDeliveries.activity": .left("waits to be told to other servers, for two weeks"),
        "feedAddresses.account": .held("account.json", "feedAddressMade"),
        "filmFiles.film": .left("what she has sent is a file of the archive, the rest was made of it"),
        "films.owner": .held("films.json", "zinnober film"),
        "follows.followed": .held("people.json", "bob"),
        "follows.follower": .held("people.json", "bob"),
        "formerHandles.account": .held("account.json", "zinnoberold"),
        "formerPlaces.post": .left("where her post stood before"),
        "formerScores.item": .left("where her item stood in lists, for an hour"),
        "frameKeys.account": .left("a secret, for minutes"),
        "framePhotos.frame": .held("frames/frame.jpg", "zinnober photo"),
        "frameUpdates.frame": .left("what others wrote, as the frame shows it"),
        "frameUpdates.post": .left("others' frames"),
        "frames.account": .held("frames.json", "zinnober frame"),
        "frames.vip": .left("others' frames"),
        "identities.account": .held("account.json", "zinnober subject"),
        "identityArrivals.account": .left("for minutes"),
        "identityAttempts.account": .left("for minutes"),
        "itemFilms.film": .left("which film stands with which item: the item says it"),
        "itemFilms.item": .left("which film stands with which item: the item says it"),
        "itemMarks.account": .held("item-marks.json", "save"),
        "itemMedia.clip": .left("with which item of somebody's a clip is shown: the clip is in clips.json"),
        "itemMedia.item": .left("what others have sent to her item is theirs"),
        "itemMedia.picture": .left("with which item a picture is shown: the picture is in pictures.json"),
        "itemPosts.item": .left("which posts tell of her item: they are others'"),
        "itemPosts.post": .left("of which item her post tells: its link does"),
        "itemParts.account": .left("what she has sent to a board is in that board's documents"),
        "itemPictures.item": .held("items.json", "\"pictures\" : [\n      \""),
        "itemPlaces.item": .held("items.json", "zinnober place"),
        "itemSight.account": .left("follows from a claim that was accepted"),
        "itemScores.item": .left("counted from others' votes"),
        "itemTallies.item": .left("counted from others' marks"),
        "items.account": .held("items.json", "zinnober title"),
        "letters.account": .held("account.json", "noticed"),
        "links.account": .left("a secret, for minutes"),
        "listingWork.item": .left("waits to be compared, for minutes"),
        "listings.account": .held("listings.json", "zinnober reward"),
        "listingsUnkept.account": .held("listings.json", "\"keepsViewed\" : false"),
        "liveChosen.account": .left("who listens to her is others'"),
        "livePlays.author": .left("who listens to her is others'"),
        "liveSessions.account": .held("listening.json", "bob"),
        "marks.account": .held("marks.json", "favourite"),
        "matches.foundOwner": .held("matches.json", "seen"),
        "matches.lostOwner": .held("matches.json", "dismissed"),
        "matchesTold.account": .left("when she was told last, for a day"),
        "media.owner": .held("uploads.json", "zinnober upload"),
        "moderatorsSeen.account": .held("cases.json", "\"seenAsModerator\" : \"2027"),
        "noticeChoices.account": .held("account.json", "mention"),
        "notices.account": .held("notices.json", "follow"),
        "notices.actor": .left("what others were told"),
        "onward.post": .held("posts.json", "zinnober onward"),
        "openItems.item": .left("made from the item"),
        "outwardMarks.account": .held("federation.json", "clip.at.one.example"),
        "outwardReplies.account": .left("which of her answers went elsewhere; posts.json has them"),
        "passkeyChallenges.account": .left("for minutes"),
        "passkeys.account": .held("account.json", "zinnober telephone"),
        "pictureFiles.picture": .left("the largest is a file of the archive"),
        "pictures.owner": .held("pictures.json", "640"),
        "portraits.account": .held("picture.jpg", "zinnober portrait"),
        "postTags.post": .held("posts.json", "#zinnobertag"),
        "posts.account": .held("posts.json", "zinnober post"),
        "pushSubscriptions.account": .held("account.json", "push.example.org"),
        "pushes.account": .left("waits to be told, for a day"),
        "pushes.actor": .left("what others are told"),
        "recentPosts.account": .left("when she has posted, for a day; posts say it"),
        "recipients.account": .left("what others wrote to her is theirs"),
        "recoveryCodes.account": .left("a secret"),
        "remoteBlocks.account": .held("federation.json", "foe@one.example"),
        "remoteFollowers.account": .held("federation.json", "fan@one.example"),
        "remoteFollows.account": .held("federation.json", "star@one.example"),
        "remoteMarks.post": .left("what others think of her posts is theirs"),
        "remoteReplies.post": .left("what others have answered is theirs"),
        "reports.about": .left("who has reported her is not told; the reasons are in cases.json"),
        "reports.reporter": .held("reports.json", "zinnober report"),
        "sanctions.account": .held("cases.json", "warning"),
        "sessions.account": .held("account.json", "zinnober browser"),
        "strangerLetters.account": .left("for a day"),
        "strangerLetters.stranger": .left("for a day"),
        "tags4people.account": .held("account.json", "artist"),
        "threadReads.account": .left("up to where she has read"),
        "tokens.account": .held("account.json", "A program"),
        "voteSums.item": .left("counted from others' votes"),
        "voters.account": .left("whether her votes count, as her account says"),
        "transcripts.clip": .held("clips.json", "zinnober transcript"),
    ]

    /// The statements below with what they leave out: ids, and an instant.
    private static func told(_ sql: String) -> String {
        var sql = sql.replacing("$NOW", with: "1800000000000").replacing("$HER", with: "'id-\(handle)'")
            .replacing("$BOB", with: "'id-bob'").replacing("$EVE", with: "'id-eve'")
        for (name, id) in ids { sql = sql.replacing(name, with: "'\(id.text)'") }
        return sql.replacing("$SECRET", with: "CAST('\(secret)' || hex(randomblob(4)) AS BLOB)")
    }

    private static let ids = Dictionary(
        uniqueKeysWithValues: [
            "$CLIP1", "$CLIP2", "$POST1", "$POST2", "$ITEM1", "$ITEM2", "$ITEM3", "$ITEM4", "$PICTURE1", "$UPLOAD1",
            "$UPLOAD2",
            "$TAKE1",
            "$COMMENT1", "$COMMENT2",
        ].map { ($0, HubID()) })

    private static let account = """
        UPDATE accounts SET name = 'zinnober name', bio = 'zinnober bio', mail = 'zinnober@example.org',
            password = '\(secret)', totp = $SECRET WHERE id = $HER;
        UPDATE accounts SET mail = 'bob@example.org' WHERE id = $BOB;
        INSERT INTO sessions (digest, id, account, agent, created, expires) VALUES
            ($SECRET, 'session1', $HER, 'zinnober browser', $NOW, $NOW), (randomblob(32), 'session2', $BOB, 'x', $NOW, $NOW);
        INSERT INTO links (digest, purpose, account, mail, expires) VALUES ($SECRET, 'mail', $HER, '\(secret)', $NOW);
        INSERT INTO recoveryCodes (account, digest) VALUES ($HER, $SECRET);
        INSERT INTO formerHandles (handle, skeleton, account, changed) VALUES ('zinnoberold', 'zinnoberold', $HER, $NOW);
        INSERT INTO tags4people (account, tag) VALUES ($HER, 'artist');
        INSERT INTO portraits (account, jpeg, sha256, created)
            VALUES ($HER, CAST('zinnober portrait' AS BLOB), 'x', $NOW);
        INSERT INTO apps (id, secret, name, website, redirects, scopes, used)
            VALUES ('app', x'00', 'A program', '', '', 'read', $NOW);
        INSERT INTO tokens (digest, id, app, account, scopes, created, used)
            VALUES ($SECRET, 'token', 'app', $HER, 'read', $NOW, $NOW);
        INSERT INTO codes (digest, app, account, redirect, scopes, expires) VALUES ($SECRET, 'app', $HER, '', 'read', $NOW);
        INSERT INTO feedAddresses (account, digest, created) VALUES ($HER, $SECRET, $NOW);
        INSERT INTO identities (provider, subject, account, id, shown, created)
            VALUES ('oidc', 'zinnober subject', $HER, 'identity', 'zinnober', $NOW);
        INSERT INTO passkeys (credential, id, account, key, count, name, synced, created)
            VALUES ($SECRET, 'passkey', $HER, $SECRET, 0, 'zinnober telephone', 0, $NOW);
        INSERT INTO passkeyChallenges (digest, account, expires) VALUES ($SECRET, $HER, $NOW);
        INSERT INTO identityAttempts (digest, browser, provider, way, account, expires)
            VALUES ($SECRET, $SECRET, 'oidc', 'add', $HER, $NOW);
        INSERT INTO identityArrivals (browser, provider, subject, shown, handle, mail, way, account, expires)
            VALUES ($SECRET, 'oidc', '\(secret)', '\(secret)', '\(secret)', '\(secret)', 'add', $HER, $NOW);
        INSERT INTO follows (follower, followed, created) VALUES ($HER, $BOB, $NOW), ($BOB, $HER, $NOW);
        INSERT INTO blocks (blocker, blocked, created) VALUES ($HER, $EVE, $NOW), ($EVE, $HER, $NOW);
        """

    private static let posts = """
        INSERT INTO clips (id, title, fileName, contentType, bytes, sha256, created, owner) VALUES
            ($CLIP1, 'zinnober clip', 'zinnober.mp3', 'audio/mpeg', 3, 'x', $NOW, $HER),
            ($CLIP2, 'Of Bob', 'a.mp3', 'audio/mpeg', 3, 'x', $NOW, $BOB);
        INSERT INTO transcripts (clip, language, form, text, source, changed)
            VALUES ($CLIP1, 'en', 'words', 'zinnober transcript', 'own', $NOW);
        INSERT INTO clipHearers (clip, account) VALUES ($CLIP1, $BOB), ($CLIP2, $HER);
        INSERT INTO posts (sequence, id, key, account, text, link, created) VALUES
            (1, $POST1, 'zinnober', $HER, 'zinnober post #zinnobertag', '', $NOW),
            (2, $POST2, 'x', $BOB, '@\(handle) said it', '', $NOW);
        INSERT INTO postTags (tag, post) VALUES ('zinnobertag', 1);
        INSERT INTO formerPlaces (place, post) VALUES (900, 1);
        INSERT INTO onward (post, network, state, words, page, link, due, created)
            VALUES ($POST1, 'mastodon', 'posted', 'zinnober onward', '', 'https://zinnober.example.org/1', $NOW, $NOW);
        INSERT INTO recipients (post, account) VALUES (1, $BOB), (2, $HER);
        INSERT INTO marks (account, post, kind, created) VALUES ($HER, 2, 'favourite', $NOW);
        INSERT INTO media (id, owner, kind, state, why, reserved, metadata, title, fileName, type, created) VALUES
            ($UPLOAD1, $HER, 'clip', 'refused', 'zinnober why', 0, 'zinnober', 'zinnober upload', 'a.wav', 'audio/wav', $NOW),
            ($UPLOAD2, $HER, 'keep', 'ready', NULL, 0, 'zinnober', 'zinnober', 'a.wav', 'audio/wav', $NOW);
        INSERT INTO drafts (id, title, text, take, touched) VALUES ($UPLOAD2, 'zinnober draft', 'zinnober', $TAKE1, $NOW);
        INSERT INTO liveSessions (number, id, account, begins, ends, followsClock, readTo, created, ended) VALUES
            (1, 'live1', $HER, $NOW, $NOW, 0, 0, $NOW, $NOW), (2, 'live2', $BOB, $NOW, $NOW, 0, 0, $NOW, $NOW);
        INSERT INTO liveChosen (session, account) VALUES (1, $BOB), (2, $HER);
        INSERT INTO livePlays (session, post, author, arrived) VALUES (2, 1, $HER, $NOW);
        INSERT INTO frames (id, digest, name, account, network, step, vip, created, visited) VALUES
            ('frame', randomblob(32), 'zinnober frame', $HER, 'hub', 'watch', $BOB, $NOW, $NOW),
            ('other', randomblob(32), 'Hall', $BOB, 'hub', 'watch', $HER, $NOW, $NOW);
        INSERT INTO framePhotos (frame, isOwn, jpeg, sha256, created)
            VALUES ('frame', 1, CAST('zinnober photo' AS BLOB), 'x', $NOW);
        INSERT INTO frameUpdates (frame, origin, kind, post, created) VALUES ('frame', 'a', 'post', 2, $NOW),
            ('other', 'b', 'post', 1, $NOW);
        INSERT INTO frameKeys (digest, kind, account, expires) VALUES ($SECRET, 'signin', $HER, $NOW);
        INSERT INTO threadReads (account, thread, post) VALUES ($HER, 'thread', 1);
        INSERT INTO recentPosts (account, at) VALUES ($HER, $NOW);
        """

    private static let items = """
        INSERT INTO pictures (id, owner, state, bytes, sha256, width, height, print, quality, created)
            VALUES ($PICTURE1, $HER, 'ready', 3, 'x', 640, 480, '', 0, $NOW);
        INSERT INTO pictureFiles (picture, name, bytes, sha256, width, height)
            VALUES ($PICTURE1, 'large', 3, 'x', 640, 480);
        INSERT INTO items (sequence, id, board, kind, key, account, title, text, category, tags, facets, state, created,
            changed)
            SELECT value, CASE value WHEN 1 THEN $ITEM1 WHEN 2 THEN $ITEM2 WHEN 3 THEN $ITEM3 ELSE $ITEM4 END, 'lost-and-found',
                iif(value % 2, 'lost', 'found'), 'key' || value, iif(value IN (1, 4), $HER, $BOB),
                iif(value IN (1, 4), 'zinnober title', 'Keys'), iif(value IN (1, 4), 'zinnober text', 'Five of them'),
                'keys', '', '', 'open', $NOW, $NOW
            FROM json_each('[1, 2, 3, 4]');
        INSERT INTO itemPlaces (item, lat, lon, precision, shownLat, shownLon, name, wide, middle, fine)
            VALUES (1, 50.7, 7.1, 'near', 50.7, 7.1, 'zinnober place', 1, 1, 1);
        INSERT INTO itemPictures (item, position, picture) VALUES (1, 0, $PICTURE1);
        INSERT INTO films (id, owner, state, why, created) VALUES ('film1', $HER, 'refused', 'zinnober film', $NOW);
        INSERT INTO filmFiles (film, name, bytes, sha256) VALUES ('film1', 'original', 3, 'x');
        INSERT INTO itemFilms (film, item, shown) VALUES ('film1', $ITEM1, 1);
        INSERT INTO itemMedia (clip, picture, item, shown) VALUES ($CLIP1, NULL, $ITEM1, 1), (NULL, $PICTURE1, $ITEM1, 1);
        INSERT INTO itemPosts (post, item) VALUES (1, $ITEM1);
        INSERT INTO itemParts (id, item, account, kind, path, text, shown)
            VALUES ('part1', $ITEM1, $HER, 'attempt', '/attempts/part1', 'zinnober part', 1);
        INSERT INTO itemSight (item, account, since) VALUES (2, $HER, $NOW);
        INSERT INTO itemMarks (account, kind, item, at) VALUES ($HER, 'save', 2, $NOW), ($BOB, 'save', 1, $NOW);
        INSERT INTO itemScores (item, board, kind, category, listed, appeared, rank, number)
            VALUES (1, 'lost-and-found', 'lost', 'keys', 1, $NOW, 0, 0), (2, 'lost-and-found', 'lost', 'keys', 1, $NOW, 0, 0);
        INSERT INTO itemMarks (account, kind, item, at, counted, block) VALUES ($HER, 'up', 2, $NOW, 1, 7), ($BOB, 'down', 1, $NOW, 1, 7);
        INSERT INTO voters (account, counts) VALUES ($HER, 1), ($BOB, 1);
        UPDATE scoreTurns SET turn = 1;
        INSERT INTO formerScores (until, item, number, rank, at) VALUES (1, 1, 0, 0.0, $NOW);
        INSERT INTO listings (item, account, handover, reward, phone, question, expires)
            SELECT id, account, 'collect', iif(account = $HER, 'zinnober reward', ''), iif(account = $HER, 'zinnober', ''),
                iif(account = $HER, 'zinnober', ''), $NOW FROM items;
        INSERT INTO listingsUnkept (account) VALUES ($HER);
        INSERT INTO claims (id, listing, owner, claimant, kind, question, answer, created, greeting) VALUES
            ('claim1', $ITEM2, $BOB, $HER, 'mine', 'Whose?', 'zinnober claim', $NOW, ''),
            ('claim2', $ITEM1, $HER, $BOB, 'mine', 'zinnober', 'Bob answers', $NOW, 'zinnober greeting');
        INSERT INTO matches (lost, found, score, why, created, lostOwner, foundOwner, lostSeen, foundSeen) VALUES
            ($ITEM1, $ITEM2, 0.9, '{}', $NOW, $HER, $BOB, 'dismissed', 'new'),
            ($ITEM3, $ITEM4, 0.9, '{}', $NOW, $BOB, $HER, 'new', 'seen');
        INSERT INTO matchesTold (account, at) VALUES ($HER, $NOW);
        INSERT INTO alerts (id, account, words, created) VALUES
            ('alert1', $HER, 'zinnober alert', $NOW), ('alert2', $BOB, 'keys', $NOW);
        INSERT INTO alertCells (cell, alert) VALUES ('', 'alert1');
        INSERT INTO alertHits (alert, item, at) VALUES ('alert1', $ITEM2, $NOW), ('alert2', $ITEM1, $NOW);
        INSERT INTO comments (sequence, id, item, account, key, text, created)
            VALUES (1, $COMMENT1, 2, $HER, 'zinnober', 'zinnober comment', $NOW);
        INSERT INTO comments (sequence, id, item, account, key, answers, text, created)
            VALUES (2, $COMMENT2, 2, $BOB, 'x', 1, 'Bob answers', $NOW);
        """

    private static let cases = """
        INSERT INTO cases (id, kind, about, account, state, deadline, upheld, answer, appeal, created) VALUES
            ('case1', 'account', $HER, $HER, 'appealed', $NOW, 1, 'zinnober answer', 'zinnober appeal', $NOW),
            ('case2', 'account', $BOB, $BOB, 'decided', $NOW, 1, 'Bob defends', '', $NOW);
        INSERT INTO reports ("case", kind, about, reporter, reason, text, picture, at) VALUES
            ('case1', 'account', $HER, $BOB, 'spam', 'Bob reports', NULL, $NOW),
            ('case2', 'account', $BOB, $HER, 'spam', 'zinnober report', $PICTURE1, $NOW),
            ('case2', 'account', $BOB, $EVE, 'spam', 'Eve reports', NULL, $NOW);
        INSERT INTO decisions (sequence, "case", "by", account, what, why, at) VALUES
            (1, 'case1', $EVE, $HER, 'warning', 'Too loud', $NOW), (2, 'case2', $HER, $BOB, 'hide', 'Decided in office', $NOW);
        INSERT INTO sanctions (decision, account, kind, "from") VALUES (1, $HER, 'warning', $NOW);
        INSERT INTO moderatorsSeen (account, at) VALUES ($HER, $NOW);
        """

    private static let told = """
        INSERT INTO notices (account, kind, cause, actor, post, created) VALUES
            ($HER, 'follow', 'follow:id-bob:0', $BOB, NULL, $NOW),
            ($BOB, 'favourite', 'favourite:id-\(handle):2', $HER, 2, $NOW);
        INSERT INTO noticeChoices (account, kind, onPage, byMail) VALUES ($HER, 'mention', 1, 1);
        INSERT INTO letters (id, cause, account, recipient, kind, data, state, next, created) VALUES
            ('letter1', 'notice:id-\(handle):follow:id-bob:0', $HER, 'zinnober@example.org', 'noticed',
                '{"kind":"follow","actor":"bob","path":"/@bob"}', 'waiting', $NOW, $NOW),
            ('letter2', 'notice:id-\(handle):follow:id-eve:0', $HER, '', 'noticed', '{}', 'sent', $NOW, $NOW),
            ('letter3', 'notice:id-bob:follow:id-\(handle):0', $BOB, 'bob@example.org', 'noticed',
                '{"kind":"follow","actor":"\(handle)","path":"/@\(handle)"}', 'waiting', $NOW, $NOW),
            ('letter4', 'notice:id-bob:favourite:id-\(handle):2', $BOB, '', 'noticed', '{}', 'sent', $NOW, $NOW),
            ('letter5', 'notice:id-bob:alert:alert2', $BOB, 'bob@example.org', 'noticed',
                '{"kind":"alert","actor":"","path":"/lost-and-found/' || $ITEM1 || '"}', 'waiting', $NOW, $NOW),
            ('letter6', 'notice:id-bob:follow:id-eve:0', $BOB, 'bob@example.org', 'noticed',
                '{"kind":"follow","actor":"eve","path":"/@eve"}', 'waiting', $NOW, $NOW);
        INSERT INTO pushSubscriptions (id, account, session, endpoint, p256dh, auth, language, created) VALUES
            ('push1', $HER, 'session1', 'https://push.example.org/\(secret)', $SECRET, $SECRET, 'en', $NOW),
            ('push2', $BOB, 'session2', 'https://push.example.org/b', x'00', x'00', 'en', $NOW);
        INSERT INTO pushes (subscription, account, cause, kind, actor, path, state, next, created) VALUES
            ('push1', $HER, 'follow:id-bob:0', 'follow', $BOB, '/@bob', 'waiting', $NOW, $NOW),
            ('push2', $BOB, 'follow:id-\(handle):0', 'follow', $HER, '/@\(handle)', 'waiting', $NOW, $NOW),
            ('push2', $BOB, 'alert:alert2', 'alert', NULL, '/lost-and-found/' || $ITEM1, 'sent', $NOW, $NOW);
        INSERT INTO strangerLetters (account, stranger, at) VALUES ($HER, $BOB, $NOW), ($BOB, $HER, $NOW);
        """

    private static let federation = """
        INSERT INTO federationActors (id, account, isOn, key, created) VALUES ('ab12', $HER, 1, 'a key', $NOW);
        INSERT INTO remoteActors (id, address, host, handle, name, page, inbox, keyID, keyText, fetched)
            SELECT id, 'https://one.example/' || name, 'one.example', name || '@one.example', name, '',
                'https://one.example/inbox', 'https://one.example/' || name || '#key', 'PEM', $NOW
            FROM (SELECT 1 AS id, 'fan' AS name UNION ALL SELECT 2, 'star' UNION ALL SELECT 3, 'foe');
        INSERT INTO remoteFollowers (account, actor, activity, created) VALUES ($HER, 1, 'https://one.example/1', $NOW);
        INSERT INTO remoteFollows (account, actor, activity, state, created) VALUES ($HER, 2, 'one', 'asked', $NOW);
        INSERT INTO remoteBlocks (account, actor, created) VALUES ($HER, 3, $NOW);
        INSERT INTO remoteMarks (post, actor, kind, activity, created) VALUES
            ($POST1, 1, 'like', 'https://one.example/2', $NOW);
        INSERT INTO remoteReplies (address, post, actor, text, page, created) VALUES
            ('https://one.example/3', $POST1, 1, 'Bob answers from elsewhere', '', $NOW);
        INSERT INTO remoteClips (address, actor, clip, sound, title, text, spoiler, page, published, received, post)
            SELECT 'clip.at.one.example', 2, 'clip', '', '', '', '', '', $NOW, $NOW, MIN(sequence)
            FROM posts WHERE account = $BOB;
        INSERT INTO outwardMarks (account, post, kind, created)
            SELECT $HER, post, 'announce', $NOW FROM remoteClips;
        INSERT INTO outwardReplies (post, account, actor, above) VALUES ($POST1, $HER, 2, 'clip.at.one.example');
        INSERT INTO federationActivities (actor, kind, object, created) VALUES ('ab12', 'delete', $POST1, $NOW);
        INSERT INTO changedFeeds (account, format) VALUES ($HER, 'xml');
        """

    /// Of what is hers, ids that mean nothing without their rows.
    static var goneIDs: [String] { ["$ITEM1", "$ITEM4", "$PICTURE1", "$POST1"].compactMap { ids[$0]?.text } }
}
