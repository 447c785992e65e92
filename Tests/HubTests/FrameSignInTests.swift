import ChirpAccounts
import ChirpCommunity
import ChirpCore
import HubHousehold
import Testing

/// A sign-in that ends while a frame is made for its account.
@Suite struct FrameSignInTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }

    init() throws { cast = HubCast(house: try HubHousehold()) }

    @Test func `a sign-in that has ended leads to no frame`() async throws {
        let ann = try await cast.member("ann")
        let session = try await cast.accounts.signIn(name: "ann", password: Secret(HubCast.password), agent: "")
        func frames() async throws -> Int {
            let link = try await house.library.frameLink(for: ann.id, by: .session(session.token))
            let byLink = try await house.library.newFrame(OpaqueToken(), name: "Hall", byLink: link)
            let frame = try #require(try await house.library.newFrame(OpaqueToken(), name: "Kitchen"))
            let code = OpaqueToken().digest
            try await house.library.keepFrameKey(code, .code, frame: frame.id)
            let byCode = try await house.library.pairFrame(code: code, with: ann.id, by: .session(session.token))
            let other = try #require(try await house.library.newFrame(OpaqueToken(), name: "Bath"))
            var change = HubLibrary.FrameChange()
            change.account = ann.id
            change.shown = .session(session.token)
            let byBrowser = try await house.library.change(other.id, change)
            return [byLink, byCode, byBrowser].filter { $0 != nil }.count
        }
        #expect(try await frames() == 3)
        try await cast.accounts.signOut(session.token)
        #expect(try await frames() == 0)
        #expect(try await house.texts("SELECT id FROM frames WHERE account = '\(ann.id)'").count == 3)
    }

    @Test func `a link ends with the sign-in that asked for it, and frames of a program with its token`() async throws {
        let ann = try await cast.member("ann")
        let session = try await cast.accounts.signIn(name: "ann", password: Secret(HubCast.password), agent: "")
        let token = try #require(OpaqueToken(shown: try await cast.token(of: ann)))
        let (own, another) = (ShownCredential.session(session.token), ShownCredential.token(token))
        func frame(byLinkOf shown: ShownCredential) async throws -> FrameDevice? {
            let link = try await house.library.frameLink(for: ann.id, by: shown)
            return try await house.library.newFrame(OpaqueToken(), name: "Hall", byLink: link)
        }
        func frame(byCodeOf shown: ShownCredential) async throws -> FrameDevice? {
            let frame = try #require(try await house.library.newFrame(OpaqueToken(), name: "Kitchen"))
            let code = OpaqueToken().digest
            try await house.library.keepFrameKey(code, .code, frame: frame.id)
            return try await house.library.pairFrame(code: code, with: ann.id, by: shown)
        }
        var kept: [FrameDevice.ID] = []
        for shown in [own, another] {
            for made in [try await frame(byLinkOf: shown), try await frame(byCodeOf: shown)] {
                let id = try #require(made?.id)
                if case .session = shown { kept.append(id) }
            }
        }
        let links = [
            try await house.library.frameLink(for: ann.id, by: own),
            try await house.library.frameLink(for: ann.id, by: another),
        ]
        try await house.change("DELETE FROM tokens")
        try await cast.accounts.signOut(session.token)
        #expect(try await house.library.frames(of: ann.id).map(\.id).sorted() == kept.sorted())
        for link in links {
            #expect(try await house.library.newFrame(OpaqueToken(), name: "Hall", byLink: link) == nil)
        }
        #expect(try await house.texts("SELECT why FROM frameEnds") == ["ended", "ended"])
    }
}
