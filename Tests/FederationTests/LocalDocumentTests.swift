import ChirpFederation
import ChirpHTTP
import Foundation
import Testing

/// What this hub tells other servers.
@Suite struct LocalDocumentTests {
    private let actor: LocalActor
    private let note: LocalNote

    private static func address(_ path: String) throws -> WebAddress {
        try #require(WebAddress("https://hub.example" + path))
    }

    init() throws {
        let address = Self.address
        actor = LocalActor(
            id: try ObjectID(address("/users/ann")), handle: "ann", name: "Ann <3",
            summary: "I & you\nhttps://x.example/?a=1&b=2.",
            page: try address("/@ann"), inbox: try address("/users/ann/inbox"),
            outbox: try address("/users/ann/outbox"),
            sharedInbox: try address("/inbox"), followers: try address("/users/ann/followers"),
            following: try address("/users/ann/following"),
            icon: LocalActor.Icon(address: try address("/a.png"), mediaType: "image/png"),
            created: Date(timeIntervalSince1970: 1_795_168_800), publicPEM: "PEM")
        note = LocalNote(
            id: ObjectID(try address("/c/1")), author: actor.id, followers: try address("/users/ann/followers"),
            page: try address("/c/1"), text: "Hello <b> #chirp, @bob@remote.example!\n\nmore", language: "en",
            published: Date(timeIntervalSince1970: 1_795_168_800),
            sounds: [
                LocalNote.Sound(
                    address: try address("/m/1.mp3"), mediaType: "audio/mpeg", name: "Ann says hello", summary: "words")
            ], tagPage: try address("/tags"),
            mentions: [
                LocalNote.Mention(
                    id: try #require(ObjectID("https://remote.example/users/bob")), name: "@bob@remote.example")
            ])
    }

    @Test func `an actor is read again as it was written`() throws {
        let bytes = actor.document.bytes
        #expect(bytes == actor.document.bytes)
        let read = try RemoteActor(DocumentValue(reading: bytes))
        #expect(read.id == actor.id && read.handle == "ann" && read.name == "Ann <3")
        #expect(read.summary == "I & you\nhttps://x.example/?a=1&b=2.".replacing("\n", with: "\n"))
        #expect(read.inbox == actor.inbox && read.sharedInbox == actor.sharedInbox && read.icon == actor.icon?.address)
        #expect(read.key?.id.text == "https://hub.example/users/ann#main-key" && read.isDiscoverable)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#""icon":{"mediaType":"image/png","type":"Image","url":"https://hub.example/a.png"}"#))
        #expect(
            text.contains("\"https://w3id.org/security/v1\"") && text.contains("\"published\":\"2026-11-20T10:00:00Z\"")
        )
    }

    @Test func `a post is a note with its sound as a document`() throws {
        let document = note.document
        #expect(document["type"]?.text == "Note" && document["summary"] == nil && document["inReplyTo"] == nil)
        let sound = try #require(document["attachment"]?.items.first)
        #expect(
            sound == [
                "type": "Document", "mediaType": "audio/mpeg", "url": "https://hub.example/m/1.mp3",
                "name": "Ann says hello", "summary": "words",
            ])
        let html = try #require(document["content"]?.text)
        #expect(
            html.hasPrefix("<p>Hello &lt;b&gt; <a href=\"https://hub.example/tags/Chirp\" class=\"mention hashtag\""))
        #expect(html.contains("</a></span>!</p><p>more</p>"))
        #expect(document["contentMap"]?["en"]?.text == html)
        #expect(document["tag"]?.items.first?["name"]?.text == "#Chirp")
        let read = try RemoteNote(DocumentValue(reading: document.bytes))
        #expect(read.audience == .everybody && read.hashtags == ["Chirp"] && read.named.count == 1)
        #expect(read.text.hasPrefix("Hello <b> #Chirp, @bob@remote.example!") && read.sounds.count == 1)
        var unlisted = note
        unlisted.audience = .unlisted
        unlisted.warning = "loud"
        let other = try RemoteNote(unlisted.document)
        #expect(other.audience == .unlisted && other.warning == "loud" && other.isSensitive)
    }

    @Test func `every act is read again as what it was`() throws {
        let bob = try #require(ObjectID("https://remote.example/users/bob"))
        let follow = try #require(ObjectID("https://remote.example/f/1"))
        func read(_ act: OutgoingActivity.Act) throws -> IncomingActivity.Content {
            let id = try #require(ObjectID("https://hub.example/act/1"))
            let activity = OutgoingActivity(
                id: id, actor: actor.id, act, followers: actor.followers.map { ObjectID($0) })
            let read = try IncomingActivity(reading: activity.document.bytes)
            #expect(read.actor == actor.id && read.id == id && activity.document.bytes == activity.document.bytes)
            return read.content
        }
        guard case .create(let created) = try read(.create(note)),
            case .updateNote(let updated) = try read(.updateNote(note)),
            case .updateActor(let person) = try read(.updateActor(actor))
        else {
            Issue.record("they were read as something else")
            return
        }
        #expect(created == updated && created.id == note.id && person.id == actor.id)
        #expect(try read(.delete(note.id)) == .delete(note.id))
        #expect(try read(.deleteActor) == .deleteActor)
        #expect(try read(.follow(bob)) == .follow(bob))
        #expect(try read(.like(bob)) == .like(bob))
        #expect(try read(.block(bob)) == .block(bob))
        #expect(try read(.move(to: bob)) == .move(to: bob))
        #expect(try read(.flag([bob], reason: "spam & more")) == .flag([bob], reason: "spam & more"))
        let published = Date(timeIntervalSince1970: 1_795_168_800)
        #expect(try read(.announce(bob, published: published)) == .announce(bob, published: published))
        let reference = IncomingActivity.FollowReference(id: follow, follower: bob, followed: actor.id)
        #expect(try read(.accept(follow: reference)) == .accept(reference))
        #expect(try read(.reject(follow: reference)) == .reject(reference))
        let earlier = OutgoingActivity(id: note.id, actor: actor.id, .follow(bob))
        #expect(try read(.undo(earlier)) == .undo(.follow(id: note.id, bob)))
    }

    @Test func `text of people never becomes markup`() throws {
        var hostile = note
        hostile.text = "<script>alert(1)</script> https://x.example/\"onmouseover=\"x #Chirp</a> &amp; '"
        hostile.warning = "<img src=x>"
        let html = try #require(hostile.document["content"]?.text)
        #expect(!html.contains("<script") && !html.contains("\"onmouseover") && html.contains("&amp;amp;"))
        #expect(hostile.document["summary"]?.text == "&lt;img src=x&gt;")
    }

    @Test func `collections, pages and node information have their form`() throws {
        let id = try #require(WebAddress("https://hub.example/users/ann/outbox"))
        let first = try #require(WebAddress("https://hub.example/users/ann/outbox?page=1"))
        let collection = Collection(id: id, count: 3, first: first)
        #expect(
            collection.document["totalItems"]?.number == 3 && collection.document["type"]?.text == "OrderedCollection")
        #expect(String(decoding: collection.document.bytes, as: UTF8.self).contains("\"totalItems\":3,"))
        let page = collection.page(first, items: [note.item], next: nil)
        #expect(page["partOf"]?.text == id.text && page["orderedItems"]?.items.count == 1 && page["next"] == nil)
        let info = NodeInfo(version: "1.0", isOpen: false, people: 2, activeHalfYear: 2, activeMonth: 1, posts: 9)
        #expect(info.document["version"]?.text == "2.1" && info.document["protocols"]?.items == ["activitypub"])
        #expect(info.document["usage"]?["users"]?["total"]?.number == 2)
        #expect(NodeInfo.discovery(at: id)["links"]?.items.first?["href"]?.text == id.text)
    }

    @Test func `WebFinger answers and asks in both directions`() throws {
        #expect(WebFinger.subject("acct:Ann@HUB.example") == .account(handle: "Ann", host: "hub.example"))
        #expect(WebFinger.subject("acct:ann@localhost:8080") == .account(handle: "ann", host: "localhost:8080"))
        #expect(WebFinger.subject(actor.id.text) == .address(actor.id.address))
        for wrong in [
            "", "ann", "acct:", "acct:ann", "acct:ann@", "acct:@", "acct:a@b@c", "acct:a b@c", "acct:ann@hub/x",
            "mailto:a@b", "acct:" + String(repeating: "a", count: 3000),
        ] {
            #expect(WebFinger.subject(wrong) == nil)
        }
        #expect(
            WebFinger.question(for: "@ann@Hub.example")?.text
                == "https://hub.example/.well-known/webfinger?resource=acct%3Aann%40hub.example")
        for wrong in ["", "ann", "@ann", "ann@hub.example/x", "ann@hub.example?x", "a/b@hub.example"] {
            #expect(WebFinger.question(for: wrong) == nil)
        }
        let document = WebFinger.document(of: actor, host: "hub.example")
        #expect(document["subject"]?.text == "acct:ann@hub.example")
        #expect(try WebFinger.actor(in: document.bytes) == actor.id)
        #expect(throws: DocumentError.missing("self")) {
            try WebFinger.actor(in: Array(#"{"links":[{"rel":"self"}]}"#.utf8))
        }
        #expect(throws: DocumentError.missing("links")) { try WebFinger.actor(in: Array("{}".utf8)) }
    }

    @Test(arguments: [
        ("application/activity+json", true), ("application/activity+json; charset=utf-8", true),
        ("Application/LD+JSON; profile=\"https://www.w3.org/ns/activitystreams\"", true),
        ("application/ld+json;profile=\"https://other.example https://www.w3.org/ns/activitystreams\"", true),
        ("application/ld+json", false), ("application/json", false), ("text/html", false), ("", false),
    ])
    func `only ActivityPub's types are documents`(type: String, isActivity: Bool) {
        #expect(MediaType.isActivity(type) == isActivity)
    }

    @Test(arguments: [
        ("application/activity+json", true),
        ("application/ld+json; profile=\"https://www.w3.org/ns/activitystreams\"", true),
        ("application/activity+json, text/html;q=0.5", true), ("application/activity+json, text/html", true),
        ("text/html, application/activity+json", false), ("text/html, application/activity+json;q=0.9", false),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false), ("*/*", false), ("", false),
        ("application/json", false), ("application/activity+json;q=0", false), ("application/activity+json;q=x", false),
    ])
    func `programs get documents and people pages`(accept: String, wants: Bool) {
        #expect(MediaType.wantsActivity(accept) == wants)
    }
}
