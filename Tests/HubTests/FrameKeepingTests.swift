import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpNumbers
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// What frames keep when two things happen at once, when something is repeated, and when a stranger's server tells too much.
@Suite struct FrameKeepingTests {
    private let house: HubHousehold
    private let cast: HubCast
    private static let base = "/api/hub/v1/frame"

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    @Test func `an answer that is sent again is one message with one clip`() async throws {
        let carla = try await cast.member("carla")
        let ann = try await house.person("ann")
        let (_, token) = try await cast.frame(of: carla.id, showing: ann) { $0.answers = true }
        let goals = Mutexed<[String]>([])
        let intake = ClipIntake { order throws(ClipIntake.Failure) in
            let goal = order.goal ?? ""
            goals.change { $0.append(goal) }
            do { try Data("sound".utf8).write(to: URL(filePath: goal)) } catch { throw .notNow("\(error)") }
            return ClipIntake.Made(bytes: 5, sha256: "00", seconds: 1, peaks: [])
        }
        let hub = HubApplication(
            settings: try cast.settings(), library: house.library, logger: HubHousehold.logger, intake: intake)
        try await hub.application().test(.router) { client in
            func send(_ key: String) async throws -> String {
                let answer = try await client.execute(
                    uri: "\(Self.base)/answer", method: .post,
                    headers: [
                        .authorization: "Bearer \(token.secret.reveal())", .contentType: "audio/wav",
                        .idempotencyKey: key,
                    ], body: ByteBuffer(string: "RIFF"))
                #expect(answer.status == .accepted, "\(answer.text)")
                return try #require(try answer.facts["id"] as? String)
            }
            let first = try await send("one")
            #expect(try await send("one") == first)
            #expect(try await send("two") != first)
        }
        let kept = goals.value.map { FileManager.default.fileExists(atPath: $0) }
        #expect(kept == [true, false, true])
    }

    /// A frame of another network, with what it is known by there.
    private func elsewhere(_ sealed: String) async throws -> FrameDevice {
        let made = try await house.library.newFrame(OpaqueToken(), name: "Hall", network: .mastodon)
        return try await showing(sealed, on: try #require(made))
    }

    private func showing(_ sealed: String, on frame: FrameDevice) async throws -> FrameDevice {
        var change = HubLibrary.FrameChange()
        change.step = .watch
        change.sealed = .some(Array(sealed.utf8))
        change.cursor = .some(nil)
        change.forgetsUpdates = true
        return try #require(try await house.library.change(frame.id, change))
    }

    private func finding(_ number: Int) -> FrameFinding {
        FrameFinding(origin: "\(number)", kind: .post, sealed: Array("x".utf8), created: house.now)
    }

    @Test func `what was found of one person is not shown as another's`() async throws {
        let before = try await elsewhere("one")
        let after = try await showing("another", on: before)
        try await house.library.keep([finding(1)], for: before, cursor: "1")
        #expect(try await house.library.newestUpdates(of: after, limit: 50).isEmpty)
        #expect(try await house.library.frame(after.id)?.cursor == nil)
        try await house.library.keep([finding(2)], for: after, cursor: "2")
        #expect(try await house.library.newestUpdates(of: after, limit: 50).count == 1)
    }

    @Test func `a server that tells without end fills no disk`() async throws {
        let frame = try await elsewhere("one")
        let many = HubLibrary.mostFrameUpdates + 20
        try await house.library.keep((1...many).map(finding), for: frame, cursor: "\(many)")
        let kept = try await house.library.updates(of: frame, after: 0, limit: many)
        #expect(kept.count == HubLibrary.mostFrameUpdates && kept.first?.isShown == false)
    }

    @Test func `an account has twenty frames, however they come to it`() async throws {
        let ann = try await house.person("ann")
        var made: [FrameDevice?] = []
        for number in 0..<30 {
            let (token, link) = (OpaqueToken(), try await house.library.frameLink(for: ann))
            let key = try await house.library.useFrameKey(link.digest, .link)
            made.append(
                try await house.library.newFrame(token, name: "\(number)", account: key?.account, network: .hub))
        }
        #expect(made.map { $0 != nil } == (0..<30).map { $0 < HubLibrary.mostFrames })
        let nobodys = try #require(try await house.library.newFrame(OpaqueToken(), name: "Hall"))
        var change = HubLibrary.FrameChange()
        change.account = ann
        #expect(try await house.library.change(nobodys.id, change) == nil)
        let code = OpaqueToken().digest
        try await house.library.keepFrameKey(code, .code, frame: nobodys.id)
        #expect(try await house.library.pairFrame(code: code, with: ann) == nil)
        // What is its own already may change.
        let own = try #require(made.first ?? nil)
        #expect(try await house.library.change(own.id, change)?.account == ann)
        #expect(try await house.library.frames(of: ann).count == HubLibrary.mostFrames)
    }

    @Test func `a frame that is set up later than its first day is still there`() async throws {
        let token = OpaqueToken()
        _ = try await house.library.newFrame(token, name: "Hall")
        house.wait(25 * 3600)
        let known = try await house.library.frame(of: token)
        try await house.library.visit(try #require(known))
        _ = try await house.library.newFrame(OpaqueToken(), name: "Kitchen")
        #expect(try await house.library.frame(of: token) != nil)
        house.wait(25 * 3600)
        _ = try await house.library.newFrame(OpaqueToken(), name: "Bath")
        #expect(try await house.library.frame(of: token) == nil)
    }
}
