import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import LoopbackService
import NIOCore
import Testing

/// Frames that show somebody from a Mastodon server, which here is one on loopback.
@Suite struct FrameElsewhereTests {
    private let house: HubHousehold
    private let mastodon: LoopbackMastodon
    private static let base = "/api/hub/v1/frame"

    init() throws {
        let house = try HubHousehold()
        self.house = house
        mastodon = try LoopbackMastodon(now: { house.now })
    }

    private func settings() throws -> HubSettings {
        var settings = try HubCast(house: house).settings()
        settings.identity.insecureLoopback = true
        return settings
    }

    /// Signs in there; gives where the browser comes back to.
    private func begin<R>(_ screen: Visitor<R>, _ form: String) async throws -> String {
        try await screen.signInElsewhere(
            #"{"network": "mastodon", "server": "\#(mastodon.base)"}"#, form,
            scope: "read:accounts read:follows read:statuses read:notifications")
    }

    /// Signs in there, and comes back; gives the token of the page's form.
    private func signIn<R>(_ screen: Visitor<R>) async throws -> String {
        let form = try await screen.frameForm()
        _ = try await screen.get(try await begin(screen, form))
        return form
    }

    @Test func `a frame shows somebody from there, and forgets all of it when it is signed out`() async throws {
        let friends = mastodon.follow(3)
        mastodon.receive("<p>before</p>", by: friends[1])
        try await house.application(settings()).application().test(.router) { client in
            let screen = Visitor(client)
            let form = try await screen.frameForm()
            let back = try await begin(screen, form)
            let arrived = try await screen.get(back)
            #expect(arrived.location == "/frame")
            // The way back counts once.
            let stranger = try await Visitor(client).get(back)
            #expect(stranger.location == "/frame")

            let list = try await screen.get("\(Self.base)/friends").facts
            let found = try #require(list["friends"] as? [[String: Any]])
            #expect(found.compactMap { $0["handle"] as? String } == ["friend-0", "friend-1", "friend-2"])
            let chosen = try await screen.call(.put, Self.base, #"{"vip": "\#(friends[1])"}"#, [.formToken: form])
            #expect(try chosen.facts["step"] as? String == "watch")
            let updates = try await screen.get("\(Self.base)/updates").facts
            let shown = try #require(updates["updates"] as? [[String: Any]])
            #expect(shown.map { $0["text"] as? String } == ["before"] && shown[0]["shown"] as? Bool == true)

            let folder = house.folder.path("hub")
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
                #expect(bytes.range(of: Data("friend-1".utf8)) == nil, "\(name) names the person")
                #expect(
                    bytes.range(of: Data("before</p>".utf8)) == nil
                        && bytes.range(of: Data("loopback-token".utf8)) == nil)
            }
            let end = try await screen.call(.delete, Self.base, "{}", [.formToken: form])
            #expect(end.status == .noContent)
            let gone = try await screen.get(Self.base)
            #expect(gone.status == .notFound)
        }
    }

    @Test func `a message from the person is told as one, once, and others' messages are not`() async throws {
        let friends = mastodon.follow(2)
        mastodon.receive("<p>a post</p>", by: friends[0])
        mastodon.message("<p>@ada for you alone</p>", by: friends[0])
        mastodon.message("<p>@ada from somebody else</p>", by: friends[1])
        try await house.application(settings()).application().test(.router) { client in
            let screen = Visitor(client)
            let form = try await signIn(screen)
            _ = try await screen.call(.put, Self.base, #"{"vip": "\#(friends[0])"}"#, [.formToken: form])
            let updates = try await screen.get("\(Self.base)/updates").facts
            let shown = try #require(updates["updates"] as? [[String: Any]])
            #expect(shown.map { $0["text"] as? String } == ["a post", "@ada for you alone"])
            #expect(shown.map { $0["kind"] as? String } == ["post", "message"])
            #expect(mastodon.server.requests.contains { $0.path == "/api/v1/conversations" })
        }
    }

    @Test func `whoever is signed in here looks after a frame of another network, too`() async throws {
        mastodon.follow(1)
        let cast = HubCast(house: house)
        try await cast.member("carla")
        try await house.application(settings()).application().test(.router) { client in
            let screen = try await cast.browser(of: "carla", client)
            _ = try await signIn(screen)
            let list = try await screen.get("/api/hub/v1/frames").facts
            let frames = try #require(list["frames"] as? [[String: Any]])
            #expect(frames.map { $0["network"] as? String } == ["mastodon"])
            #expect((frames[0]["account"] as? String)?.hasPrefix("ada") == true, "\(frames)")
            let id = try #require(frames[0]["id"] as? String)
            #expect(try await screen.call(.delete, "/api/hub/v1/frames/\(id)").status == .noContent)
            let gone = try await screen.get(Self.base)
            #expect(gone.status == .notFound && gone.text.contains("signed out"))
        }
    }

    @Test func `a frame that moves to this hub signs out there`() async throws {
        mastodon.follow(1)
        let cast = HubCast(house: house)
        try await cast.member("carla")
        try await house.application(settings()).application().test(.router) { client in
            let screen = try await cast.browser(of: "carla", client)
            let form = try await signIn(screen)
            #expect(!mastodon.server.requests.contains { $0.path == "/oauth/revoke" })
            let moved = try await screen.call(
                .post, "\(Self.base)/start", #"{"network": "hub"}"#, [.formToken: form])
            #expect(moved.status == .ok)
            #expect(mastodon.server.requests.contains { $0.path == "/oauth/revoke" })
        }
    }

    @Test func `a sign-in that was revoked there wipes the frame, and it says why`() async throws {
        let friends = mastodon.follow(1)
        try await house.application(settings()).application().test(.router) { client in
            let screen = Visitor(client)
            let form = try await signIn(screen)
            for _ in 0..<2 {
                mastodon.fail("/following", .json(401, #"{"error":"The access token was revoked"}"#))
            }
            let refused = try await screen.call(.put, Self.base, #"{"vip": "\#(friends[0])"}"#, [.formToken: form])
            #expect(refused.status == .notFound && refused.text.contains("no longer accepts the sign-in"))
            let gone = try await screen.get(Self.base)
            #expect(gone.status == .notFound && gone.text.contains("no longer accepts the sign-in"))
        }
    }

    // MARK: pictures

    private func hubWithPictures() throws -> HubApplication {
        let pictures = PictureIntake { bytes throws(PictureIntake.Refusal) in Array("small ".utf8) + bytes }
        return HubApplication(
            settings: try settings(), library: house.library, logger: HubHousehold.logger, pictures: pictures)
    }

    @Test func `pictures of friends come from this hub, made anew, and each is fetched once`() async throws {
        let friends = mastodon.follow(2)
        mastodon.setPictures("\(mastodon.base)/avatars")
        try await hubWithPictures().application().test(.router) { client in
            let screen = Visitor(client)
            _ = try await signIn(screen)
            let list = try await screen.get("\(Self.base)/friends").facts
            let found = try #require(list["friends"] as? [[String: Any]])
            let photos = found.compactMap { $0["photo"] as? String }
            #expect(photos == friends.map { "\(Self.base)/faces/\($0)" })
            for _ in 0..<2 {
                let picture = try await screen.get(photos[1])
                #expect(picture.status == .ok && picture.headers[.contentType] == "image/jpeg")
                #expect(picture.text == "small drawn /avatars/\(friends[1]).png")
            }
            #expect(mastodon.server.requests.count { $0.path.hasPrefix("/avatars/") } == 1)
            // Nobody but this frame, and nobody but its friends.
            let other = try await Visitor(client).get(photos[1])
            let unknown = try await screen.get("\(Self.base)/faces/1")
            #expect(other.status == .notFound && unknown.status == .notFound)
        }
    }

    @Test func `where there is no picture of somebody none is asked for`() async throws {
        mastodon.follow(1)
        try await hubWithPictures().application().test(.router) { client in
            let screen = Visitor(client)
            _ = try await signIn(screen)
            let list = try await screen.get("\(Self.base)/friends").facts
            let found = try #require(list["friends"] as? [[String: Any]])
            #expect(found.count == 1 && found[0]["photo"] as? String == nil)
        }
    }

    // MARK: answering

    /// A hub that makes clips, and a frame of Carla's that shows a friend from there; gives the form's token and the frame's id.
    private func watched<R>(_ screen: Visitor<R>, _ friend: String) async throws -> (form: String, id: String) {
        let form = try await signIn(screen)
        _ = try await screen.call(.put, Self.base, #"{"vip": "\#(friend)"}"#, [.formToken: form])
        let list = try await screen.get("/api/hub/v1/frames").facts
        let frames = try #require(list["frames"] as? [[String: Any]])
        return (form, try #require(frames[0]["id"] as? String))
    }

    private func hubWithClips() throws -> HubApplication {
        HubApplication(
            settings: try settings(), library: house.library, logger: HubHousehold.logger, intake: .levelling())
    }

    private func answer<R>(_ screen: Visitor<R>, _ form: String) async throws -> TestResponse {
        try await screen.send(
            .post, "\(Self.base)/answer", [.formToken: form, .contentType: "audio/webm"],
            ByteBuffer(string: "spoken"))
    }

    /// Lets the frame answer, or tries to; gives where the browser is in the end.
    private func allow<R>(_ screen: Visitor<R>, _ form: String) async throws -> String? {
        let back = try await screen.signInElsewhere(
            #"{"network": "mastodon", "answers": true}"#, form, scope: "read:accounts write:statuses write:media")
        return try await screen.get(back).location
    }

    @Test func `answering takes a second sign-in, asked for once it is switched on, and goes to the person alone`()
        async throws
    {
        let friends = mastodon.follow(2)
        mastodon.takeMediaAtOnce()
        let cast = HubCast(house: house)
        try await cast.member("carla")
        try await hubWithClips().application().test(.router) { client in
            let screen = try await cast.browser(of: "carla", client)
            let (form, id) = try await watched(screen, friends[1])
            // Off: there is no control, nothing is asked for, and nothing is sent.
            #expect(try await screen.get(Self.base).facts["answering"] as? String == "no")
            let early = try await screen.call(
                .post, "\(Self.base)/start", #"{"network": "mastodon", "answers": true}"#, [.formToken: form])
            #expect(early.status == .forbidden)

            let on = try await screen.call(.put, "/api/hub/v1/frames/\(id)", #"{"style": {"answers": true}}"#)
            #expect(on.status == .ok)
            #expect(try await screen.get(Self.base).facts["answering"] as? String == "signin")
            #expect(try await screen.get("/settings/frames").text.contains("must be allowed to write there"))
            #expect(try await answer(screen, form).status == .forbidden)
            #expect(mastodon.statuses.isEmpty)

            #expect(try await allow(screen, form) == "/frame")
            #expect(try await screen.get(Self.base).facts["answering"] as? String == "yes")
            #expect(try await answer(screen, form).status == .accepted)
            let sent = try #require(mastodon.statuses.last)
            #expect(sent.text == "@friend-1" && sent.visibility == "direct" && sent.media.count == 1)

            _ = try await screen.call(.delete, Self.base, "{}", [.formToken: form])
            #expect(mastodon.oauth.isSignedOut)
        }
    }

    @Test func `a second sign-in that is declined changes nothing, and the page says why`() async throws {
        let friends = mastodon.follow(1)
        let cast = HubCast(house: house)
        try await cast.member("carla")
        try await hubWithClips().application().test(.router) { client in
            let screen = try await cast.browser(of: "carla", client)
            let (form, id) = try await watched(screen, friends[0])
            _ = try await screen.call(.put, "/api/hub/v1/frames/\(id)", #"{"style": {"answers": true}}"#)
            mastodon.oauth.decide(.deny)
            let place = try #require(try await allow(screen, form))
            #expect(place == "/frame?answers=declined")
            #expect(try await screen.get(place).text.contains("The sign-in was declined there"))
            let state = try await screen.get(Self.base).facts
            #expect(state["answering"] as? String == "signin" && state["step"] as? String == "watch")
        }
    }

    @Test func `a server at a private address is not asked`() async throws {
        try await house.application(try HubCast(house: house).settings()).application().test(.router) { client in
            let screen = Visitor(client)
            let form = try await screen.frameForm()
            let start = try await screen.call(
                .post, "\(Self.base)/start", #"{"network": "mastodon", "server": "\#(mastodon.base)"}"#,
                [.formToken: form])
            #expect(start.status == .unprocessableContent)
        }
    }
}
