import ChirpFederation
import ChirpHTTP
import Foundation
import Testing

/// Actors of other servers.
@Suite struct RemoteActorTests {
    private static let whole = #"""
        {"id":"https://remote.example/users/bob","type":"Person","preferredUsername":"bob","name":"Bob\u202e <b>",
         "summary":"<p>one<br>two</p>","inbox":"https://remote.example/users/bob/inbox",
         "outbox":"https://remote.example/users/bob/outbox","followers":"https://remote.example/users/bob/followers",
         "endpoints":{"sharedInbox":"https://remote.example/inbox"},"url":"https://remote.example/@bob",
         "icon":{"type":"Image","url":"https://cdn.example/bob.png"},"manuallyApprovesFollowers":true,"discoverable":true,
         "alsoKnownAs":["https://old.example/users/bob"],"movedTo":"https://new.example/users/bob",
         "publicKey":{"id":"https://remote.example/users/bob#main-key","owner":"https://remote.example/users/bob","publicKeyPem":"PEM"}}
        """#

    private func read(_ change: (String) -> String = { $0 }, key: String? = nil) throws -> RemoteActor {
        try RemoteActor(DocumentValue(reading: Array(change(Self.whole).utf8)), keyID: key.flatMap(ObjectID.init))
    }

    @Test func `an actor is read whole`() throws {
        let actor = try read()
        #expect(
            actor.handle == "bob" && actor.name == "Bob <b>" && actor.summary == "one\ntwo" && actor.kind == .person)
        #expect(
            actor.deliveryInbox.text == "https://remote.example/inbox" && actor.approvesFollowers
                && actor.isDiscoverable)
        #expect(actor.key?.pem == "PEM" && actor.icon?.text == "https://cdn.example/bob.png")
        #expect(actor.movedTo?.host == "new.example" && actor.alsoKnownAs.map(\.host) == ["old.example"])
        #expect(
            actor.page?.text == "https://remote.example/@bob" && actor.followers?.text.hasSuffix("/followers") == true)
    }

    @Test func `a key of somebody else, or at another place, is none`() throws {
        for (part, other) in [
            (#""owner":"https://remote.example/users/bob""#, #""owner":"https://remote.example/users/eve""#),
            (
                "\"id\":\"https://remote.example/users/bob#main-key\"",
                "\"id\":\"https://other.example/users/bob#main-key\""
            ),
            ("\"PEM\"", "5"),
        ] {
            #expect(try read { $0.replacing(part, with: other) }.key == nil)
        }
        #expect(try read(key: "https://remote.example/users/bob#main-key").key != nil)
        #expect(try read(key: "https://remote.example/users/bob#other-key").key == nil)
        let several = try read(
            {
                $0.replacing(
                    "\"publicKey\":{",
                    with: "\"publicKey\":[{\"id\":\"https://remote.example/k\",\"publicKeyPem\":\"B\"},{"
                )
                .replacing("\"PEM\"}", with: "\"PEM\"}]")
            }, key: "https://remote.example/k")
        #expect(several.key?.pem == "B")
    }

    @Test func `a shared inbox elsewhere is left out, an inbox elsewhere refused`() throws {
        let actor = try read { $0.replacing("https://remote.example/inbox", with: "https://victim.example/inbox") }
        #expect(actor.sharedInbox == nil && actor.deliveryInbox.text == "https://remote.example/users/bob/inbox")
        #expect(throws: DocumentError.foreign("inbox")) {
            try read { $0.replacing("https://remote.example/users/bob/inbox", with: "https://victim.example/inbox") }
        }
    }

    @Test(arguments: [
        ("\"Person\"", "\"Note\"", DocumentError.malformed("type")), ("\"type\":\"Person\",", "", .missing("type")),
        ("\"bob\"", "\"bob/../eve\"", .malformed("preferredUsername")),
        ("\"bob\"", "\"\"", .malformed("preferredUsername")),
        ("\"bob\"", "\"b\\u00f6b\"", .malformed("preferredUsername")), ("\"inbox\"", "\"box\"", .missing("inbox")),
        ("{\"id\":\"https://remote.example/users/bob\"", "{\"id\":5", .malformed("id")),
    ])
    func `what an actor cannot do without is said`(part: String, other: String, error: DocumentError) throws {
        #expect(throws: error) { try read { $0.replacing(part, with: other) } }
    }

    @Test func `the word of a key counts for its owner alone`() throws {
        let rules = FederationRules()
        let bob = try read()
        func like(_ actor: String) throws -> IncomingActivity {
            try IncomingActivity(
                reading: Array(#"{"type":"Like","actor":"\#(actor)","object":"https://hub.example/c/1"}"#.utf8))
        }
        #expect(try rules.refusal(of: like("https://remote.example/users/bob"), signedBy: bob) == nil)
        #expect(try rules.refusal(of: like("https://remote.example/users/eve"), signedBy: bob) == .foreign("actor"))
        #expect(try rules.refusal(of: like("https://other.example/users/bob"), signedBy: bob) == .foreign("actor"))
    }
}
