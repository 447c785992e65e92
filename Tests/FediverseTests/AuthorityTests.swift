import ChirpFederation
import ChirpFediverse
import Foundation
import Testing

/// Who may speak of what: each type of activity, about each thing of another's, in each form, by each origin. Several servers have believed one
/// of these cells (Docs/advisories.md).
@Suite struct AuthorityTests {
    static let types = [
        "Accept", "Add", "Announce", "Block", "Create", "Delete", "Flag", "Follow", "Like", "Move", "Reject", "Remove",
        "Undo", "Update",
    ]

    /// - Parameter member: where the thing stands; in the other is something of Bob's own.
    private func document(
        _ type: String, _ value: DocumentValue, as member: String, actor: String?, id: String?
    ) -> DocumentValue {
        var members: [String: DocumentValue] = ["type": .text(type), member: value]
        if member == "target" { members["object"] = .text(AuthorityScene.bob) }
        if let actor { members["actor"] = .text(actor) }
        if let id { members["id"] = .text(id) }
        return .object(members)
    }

    @Test(arguments: types) func `no activity changes what is of another, whatever it says of it`(
        type: String
    ) async throws {
        let scene = try await AuthorityScene()
        let before = try await scene.kept()
        #expect(scene.things.count == 20 && before.count > 15)
        var cells = 0
        for member in ["object", "target"] {
            for thing in scene.things {
                for form in AuthorityScene.Form.allCases {
                    let content = document(
                        type, scene.value(thing, form), as: member, actor: AuthorityScene.bob,
                        id: "\(AuthorityScene.bob)/\(UUID().uuidString)")
                    _ = try await scene.world.send(content.bytes)
                    cells += 1
                }
                #expect(try await scene.kept() == before, "\(type) with \(thing.id) as its \(member)")
            }
        }
        #expect(cells == 200)
        // Those whose it is can do it.
        try await scene.say("Delete", by: AuthorityScene.zoe, .text("\(AuthorityScene.zoe)/reply"), "delete")
        #expect(try await scene.kept() != before)
    }

    @Test(arguments: types) func `an activity of a foreign origin, or without one, is refused`(
        type: String
    ) async throws {
        let scene = try await AuthorityScene()
        let before = try await scene.kept()
        let links = scene.world.fediverse.links
        let ids = [
            "\(AuthorityScene.bob)/1", "https://two.example/activities/1", links.activity("1").text,
            "https://one.example.two.example/1", nil,
        ]
        let actors = [
            AuthorityScene.bob, AuthorityScene.eve, AuthorityScene.zoe, scene.world.actor.text,
            "https://one.example:444/users/bob", "http://one.example/users/bob", nil,
        ]
        var cells = 0
        for thing in [scene.things[0], scene.things[3], scene.things[9]] {
            for actor in actors {
                for id in ids {
                    // What is Bob's own.
                    if actor == AuthorityScene.bob, id == ids[0] || id == nil { continue }
                    let content = document(type, scene.value(thing, .id), as: "object", actor: actor, id: id)
                    let answer = try await scene.world.send(content.bytes)
                    #expect(answer.isRefusal, "\(type) of \(thing.id) by \(actor ?? "nobody") as \(id ?? "nothing")")
                    cells += 1
                }
            }
        }
        #expect(cells == 99)
        #expect(try await scene.kept() == before)
    }

    @Test func `what another has signed within a document is not believed, whoever sends it`() async throws {
        let scene = try await AuthorityScene()
        let before = try await scene.kept()
        let proofs: [String: DocumentValue] = [
            "signature": [
                "type": "RsaSignature2017", "creator": .text("\(AuthorityScene.zoe)#main-key"),
                "created": "2027-01-15T08:00:00Z", "signatureValue": "AAAA",
            ],
            "proof": [
                "type": "DataIntegrityProof", "cryptosuite": "eddsa-jcs-2022", "proofPurpose": "assertionMethod",
                "verificationMethod": .text("\(AuthorityScene.zoe)#main-key"), "proofValue": "z1",
            ],
        ]
        for (name, proof) in proofs {
            for inner in [nil, "@graph", "@included", "@reverse"] as [String?] {
                var members: [String: DocumentValue] = [
                    "id": .text("\(AuthorityScene.zoe)/2"), "type": "Delete", "actor": .text(AuthorityScene.zoe),
                    "object": .text("\(AuthorityScene.zoe)/reply"), name: proof,
                ]
                if let inner { members = [inner: [.object(members)], name: proof] }
                #expect(try await scene.world.send(DocumentValue.object(members).bytes).isRefusal, "\(name)")
            }
        }
        #expect(try await scene.kept() == before)
    }
}
