import ChirpFederation
import ChirpHTTP
import Foundation
import Testing

/// What other servers send to an inbox.
@Suite struct IncomingActivityTests {
    private static let bob = "https://remote.example/users/bob"
    private static let ann = "https://hub.example/users/ann"

    private func read(_ type: String, _ rest: String, id: String? = "https://remote.example/a/1#x") throws
        -> IncomingActivity
    {
        let named = id.map { #""id":"\#($0)","# } ?? ""
        let text =
            #"{"@context":"x",\#(named)"type":"\#(type)","actor":"\#(Self.bob)"\#(rest.isEmpty ? "" : ",")\#(rest)}"#
        return try IncomingActivity(reading: Array(text.utf8))
    }

    private func id(_ text: String) throws -> ObjectID { try #require(ObjectID(text)) }

    @Test func `acts that need only an object are read, whatever form it has`() throws {
        let ann = try id(Self.ann)
        for object in [
            #""\#(Self.ann)""#, #"{"id":"\#(Self.ann)","type":"Person"}"#, #"["\#(Self.ann)"]"#,
            #"[{"id":"\#(Self.ann)"}]"#,
        ] {
            #expect(try read("Follow", "\"object\":\(object)").content == .follow(ann))
            #expect(try read("Like", "\"object\":\(object)").content == .like(ann))
            #expect(try read("Block", "\"object\":\(object)").content == .block(ann))
            #expect(try read("Announce", "\"object\":\(object)").content == .announce(ann, published: nil))
        }
        let activity = try read("Follow", #""object":"\#(Self.ann)""#)
        #expect(activity.actor.text == Self.bob && activity.id?.text == "https://remote.example/a/1#x")
        #expect(try read("Follow", #""object":"\#(Self.ann)""#, id: nil).id == nil)
        let actor = #"{"type":["Like"],"actor":{"id":"\#(Self.bob)","name":"x"},"object":"\#(Self.ann)"}"#
        #expect(try IncomingActivity(reading: Array(actor.utf8)).actor.text == Self.bob)
    }

    @Test func `an answer to a follow is read by its id, or by who follows whom`() throws {
        let whole =
            #""object":{"type":"Follow","id":"https://hub.example/f/1","actor":"\#(Self.ann)","object":"\#(Self.bob)"}"#
        let reference = IncomingActivity.FollowReference(
            id: try id("https://hub.example/f/1"), follower: try id(Self.ann), followed: try id(Self.bob))
        #expect(try read("Accept", whole).content == .accept(reference))
        #expect(try read("Reject", whole).content == .reject(reference))
        let byID = IncomingActivity.FollowReference(id: reference.id, follower: nil, followed: nil)
        #expect(try read("Accept", #""object":"https://hub.example/f/1""#).content == .accept(byID))
        #expect(
            try read("Accept", #""object":{"type":"Offer","id":"https://hub.example/f/1"}"#).content
                == .ignored("Accept"))
        #expect(throws: DocumentError.foreign("object")) {
            try read("Accept", whole.replacing(Self.bob, with: "https://remote.example/users/eve"))
        }
    }

    @Test func `what is taken back is read, also when only its id is said`() throws {
        let inner = { (type: String) in
            #""object":{"type":"\#(type)","id":"https://remote.example/f/1","actor":"\#(Self.bob)","object":"\#(Self.ann)"}"#
        }
        let (one, ann) = (try id("https://remote.example/f/1"), try id(Self.ann))
        #expect(try read("Undo", inner("Follow")).content == .undo(.follow(id: one, ann)))
        #expect(try read("Undo", inner("Like")).content == .undo(.like(id: one, ann)))
        #expect(try read("Undo", inner("Announce")).content == .undo(.announce(id: one, ann)))
        #expect(try read("Undo", inner("Block")).content == .undo(.block(id: one, ann)))
        #expect(try read("Undo", inner("EmojiReact")).content == .ignored("Undo"))
        #expect(try read("Undo", #""object":"https://remote.example/f/1""#).content == .undo(.activity(one)))
        #expect(throws: DocumentError.foreign("object")) { try read("Undo", #""object":"https://other.example/f/1""#) }
        #expect(throws: DocumentError.foreign("object")) {
            try read("Undo", inner("Like").replacing("users/bob", with: "users/eve"))
        }
    }

    @Test func `a reply is read as plain text with its sounds and tags`() throws {
        let object = #"""
            "object":{"type":"Note","id":"https://remote.example/n/1","attributedTo":"\#(Self.bob)","to":"as:Public",
            "cc":["\#(Self.bob)/followers","\#(Self.ann)"],"inReplyTo":"https://hub.example/c/1","sensitive":true,
            "summary":"a <b>warning</b>","content":"<p>Hello &amp; <a href=\"https://x.example/\">x</a></p><p>two\u202e</p>",
            "contentMap":{"de":"<p>x</p>"},"published":"2026-11-20T10:00:00Z","url":[{"type":"Link","href":"https://remote.example/@bob/1","mediaType":"text/html"}],
            "attachment":[{"type":"Document","mediaType":"image/png","url":"https://remote.example/p.png"},
              {"type":"Audio","mediaType":"audio/mpeg; charset=x","url":"https://remote.example/s.mp3","name":"A\u0007 song"},
              {"type":"Audio","mediaType":"audio/ogg","url":"javascript:alert(1)"}],
            "tag":[{"type":"Hashtag","name":"#Chirp"},{"type":"Mention","href":"\#(Self.ann)"},{"type":"Hashtag","name":"a b"}, 5, null]}
            """#
        guard case .create(let note) = try read("Create", object).content else {
            Issue.record("it is no note")
            return
        }
        #expect(note.text.hasPrefix("Hello & https://x.example/\n") && note.text.hasSuffix("two"))
        #expect(note.warning == "a warning" && note.language == "de" && note.isSensitive)
        #expect(note.audience == .everybody && note.named.map(\.text) == [Self.ann] && note.hashtags == ["Chirp"])
        #expect(note.sounds.map(\.name) == ["A song"] && note.sounds.first?.mediaType == "audio/mpeg")
        #expect(note.page?.text == "https://remote.example/@bob/1" && note.inReplyTo?.text == "https://hub.example/c/1")
        #expect(note.published == Date(timeIntervalSince1970: 1_795_168_800) && note.updated == nil)
    }

    @Test(arguments: [
        (#""to":["https://www.w3.org/ns/activitystreams#Public"]"#, RemoteNote.Audience.everybody),
        (#""to":["https://remote.example/users/bob/followers"],"cc":"Public""#, .unlisted),
        (#""to":["https://remote.example/users/bob/followers"]"#, .followers),
        (#""to":["https://other.example/users/bob/followers"]"#, .direct),
        (#""to":"https://hub.example/users/ann""#, .direct), (#""to":[]"#, .direct), (#""cc":5"#, .direct),
    ])
    func `who may see a post is read as Mastodon does`(recipients: String, audience: RemoteNote.Audience) throws {
        let object =
            #""object":{"type":"Note","id":"https://remote.example/n/1","attributedTo":"\#(Self.bob)",\#(recipients)}"#
        guard case .create(let note) = try read("Create", object).content else {
            Issue.record("it is no note")
            return
        }
        #expect(note.audience == audience && note.text.isEmpty)
    }

    @Test func `updates, deletions, reports and moves are read`() throws {
        let (bob, ann) = (try id(Self.bob), try id(Self.ann))
        let note =
            #""object":{"type":"Note","id":"https://remote.example/n/1","attributedTo":"\#(Self.bob)","content":"x"}"#
        guard case .updateNote(let changed) = try read("Update", note).content else {
            Issue.record("it is no note")
            return
        }
        #expect(changed.text == "x")
        let actor =
            #""object":{"type":"Person","id":"\#(Self.bob)","preferredUsername":"bob","inbox":"\#(Self.bob)/inbox"}"#
        guard case .updateActor(let person) = try read("Update", actor).content else {
            Issue.record("it is no actor")
            return
        }
        #expect(person.id == bob && person.name == "bob")
        let tombstone = #""object":{"id":"https://remote.example/n/1","type":"Tombstone"}"#
        #expect(try read("Delete", tombstone).content == .delete(try id("https://remote.example/n/1")))
        #expect(try read("Delete", #""object":"\#(Self.bob)""#).content == .deleteActor)
        #expect(
            try read("Flag", #""content":"<p>spam</p>","object":["\#(Self.ann)","https://hub.example/c/1"]"#).content
                == .flag([ann, try id("https://hub.example/c/1")], reason: "spam"))
        #expect(
            try read("Move", #""object":"\#(Self.bob)","target":"https://new.example/users/bob""#).content
                == .move(to: try id("https://new.example/users/bob")))
    }

    @Test(arguments: [
        (
            "Create",
            #""object":{"type":"Note","id":"https://remote.example/n","attributedTo":"https://remote.example/users/eve"}"#,
            "attributedTo"
        ),
        (
            "Create",
            #""object":{"type":"Note","id":"https://other.example/n","attributedTo":"https://remote.example/users/bob"}"#,
            "attributedTo"
        ),
        (
            "Update",
            #""object":{"type":"Note","id":"https://remote.example/n","attributedTo":"https://remote.example/users/eve"}"#,
            "attributedTo"
        ),
        ("Update", #""object":{"type":"Person","id":"https://remote.example/users/eve"}"#, "object"),
        ("Delete", #""object":"https://other.example/n""#, "object"),
        ("Move", #""object":"https://remote.example/users/eve","target":"https://new.example/u""#, "object"),
    ])
    func `nobody speaks for somebody else`(type: String, rest: String, member: String) throws {
        #expect(throws: DocumentError.foreign(member)) { try read(type, rest) }
    }

    @Test func `an id of another server is refused`() throws {
        for other in ["https://other.example/a", "http://remote.example/a", "https://remote.example:444/a"] {
            #expect(throws: DocumentError.foreign("id")) { try read("Like", #""object":"\#(Self.ann)""#, id: other) }
        }
    }

    @Test(arguments: [
        ("View", ""), ("Add", ""), ("Create", #""object":"https://remote.example/n""#),
        ("Create", #""object":{"type":"ChatMessage"}"#), ("Update", #""object":{"type":"Tree"}"#),
        ("Update", #""object":"https://remote.example/n""#), ("EmojiReact", ""),
    ])
    func `what is not known is named and ignored`(type: String, rest: String) throws {
        #expect(try read(type, rest).content == .ignored(type))
    }

    @Test(arguments: [
        ("Follow", "", DocumentError.missing("object")), ("Follow", #""object":null"#, .missing("object")),
        ("Follow", #""object":[]"#, .missing("object")), ("Follow", #""object":5"#, .malformed("object")),
        ("Follow", #""object":"acct:a@b""#, .malformed("object")), ("Like", #""object":{}"#, .malformed("object")),
        ("Like", #""object":[[["https://hub.example/"]]]"#, .malformed("object")), ("Undo", "", .missing("object")),
        ("Undo", #""object":{}"#, .malformed("object")), ("Accept", #""object":{}"#, .malformed("object")),
        ("Accept", #""object":true"#, .malformed("object")), ("Flag", #""object":[1,2]"#, .missing("object")),
        ("Move", #""object":"https://remote.example/users/bob""#, .missing("target")),
        (
            "Create", #""object":{"id":"https://remote.example/n","attributedTo":"https://remote.example/users/bob"}"#,
            .missing("type")
        ),
        ("Create", #""object":{"type":"Note","attributedTo":"https://remote.example/users/bob"}"#, .missing("id")),
        ("Create", #""object":{"type":"Note","id":"https://remote.example/n"}"#, .missing("attributedTo")),
        (
            "Update", #""object":{"type":"Person","id":"https://remote.example/users/bob"}"#,
            .malformed("preferredUsername")
        ),
    ])
    func `what an act cannot do without is said`(type: String, rest: String, error: DocumentError) throws {
        #expect(throws: error) { try read(type, rest) }
    }

    @Test(arguments: [
        "", "null", "[]", "5", "\"x\"", "{", "{}", "{\"type\":\"Follow\"}", #"{"actor":"https://a.example/"}"#,
        #"{"actor":"https://a.example/","type":5}"#, #"{"actor":"https://a.example/","type":[]}"#,
        #"{"actor":"x","type":"Like"}"#, #"{"actor":"https://a.example/","type":"Like","id":5}"#, "\u{0}",
        "{\"a\":1e999}",
        "{\"a\":\"\\ud800\"}", "{\"a\":01}", "{\"a\":1,}", "{'a':1}", "{\"a\":NaN}", "\u{FEFF}[]",
    ])
    func `what is no activity is an error`(text: String) throws {
        #expect(throws: DocumentError.self) { try IncomingActivity(reading: Array(text.utf8)) }
        for cut in stride(from: 0, to: text.utf8.count, by: 3) {
            #expect(throws: DocumentError.self) { try IncomingActivity(reading: Array(text.utf8.prefix(cut))) }
        }
    }

    @Test func `documents have limits of bytes, depth and values`() throws {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: DocumentError.tooDeep(limit: 32)) { try DocumentValue(reading: Array(deep.utf8)) }
        let many = "[" + String(repeating: "1,", count: 100_000) + "1]"
        #expect(throws: DocumentError.tooMany(limit: 5000)) { try DocumentValue(reading: Array(many.utf8)) }
        let large = [UInt8](repeating: 0x20, count: 1 << 20 + 1)
        #expect(throws: DocumentError.tooLarge(limit: 1 << 20)) { try DocumentValue(reading: large) }
        #expect(throws: DocumentError.notJSON) {
            try DocumentValue(reading: Array("[1]".utf16).flatMap { [UInt8($0), 0] })
        }
        let marks = #"{"a":"[[[[{{{{,,,,\"[[[\\"}"#
        #expect(try DocumentValue(reading: Array(marks.utf8))["a"]?.text == "[[[[{{{{,,,,\"[[[\\")
        let most = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(try DocumentValue(reading: Array(most.utf8)).items.count == 1)
    }

    @Test func `a document that is cut or changed anywhere is read or refused, and nothing crashes`() throws {
        let text =
            #"{"id":"https://remote.example/a","type":["Create"],"actor":"\#(Self.bob)","object":{"type":"Note","id":"https://remote.example/n","attributedTo":"\#(Self.bob)","content":"<p>\u00e9&#x41;</p>","tag":[{"type":"Hashtag","name":"x"}],"attachment":[{"mediaType":"audio/mpeg","url":"https://remote.example/s"}]}}"#
        let bytes = Array(text.utf8)
        _ = try IncomingActivity(reading: bytes)
        for place in stride(from: 0, to: bytes.count, by: 2) {
            #expect(throws: DocumentError.self) { try IncomingActivity(reading: Array(bytes[..<place])) }
            for other in [0x22, 0x7B, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] = other
                do throws(DocumentError) { _ = try IncomingActivity(reading: changed) } catch {
                    #expect(!error.whatHappened.isEmpty)
                }
            }
        }
    }
}
