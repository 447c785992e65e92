import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpStores
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import ServiceLifecycle
import Testing

/// Drafts over HTTP, with the addresses and names of hub.md 5 and 13.
@Suite struct DraftRouteTests {
    private let house: HubHousehold
    private static let path = "/api/hub/v1/drafts"
    private static let type: HTTPFields = [.contentType: "application/json"]

    init() throws { house = try HubHousehold() }

    /// Sends a recording as the page does: the length last.
    private func record<R>(_ bytes: [UInt8], by member: Member<R>) async throws -> HubID {
        func fields(_ more: [String: String]) throws -> HTTPFields {
            var fields = HTTPFields()
            for (name, value) in more.merging(["Tus-Resumable": "1.0.0"], uniquingKeysWith: { $1 }) {
                fields[try #require(HTTPField.Name(name))] = value
            }
            return fields
        }
        let begun = try await member.ask(
            .post, "/api/uploads",
            fields([
                "Upload-Defer-Length": "1",
                "Upload-Metadata": "filename dGFrZS53YXY=,filetype YXVkaW8vd2F2,draft MQ==",
            ]))
        #expect(begun.status == .created)
        let id = try #require(HubID(begun.location.split(separator: "/").last ?? ""))
        #expect(try await member.ask(.get, "\(Self.path)/\(id)").text.contains("\"state\":\"receiving\""))
        let sent = try await member.ask(
            .patch, "/api/uploads/\(id)",
            fields([
                "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0",
                "Upload-Length": "\(bytes.count)",
            ]), ByteBuffer(bytes: bytes))
        #expect(sent.status == .noContent)
        return id
    }

    /// What making a clip leaves.
    private func make(_ id: HubID, bytes: [UInt8] = Array("a clip".utf8)) async throws {
        let draft = try #require(try await house.library.draft(id))
        try Data(bytes).write(to: URL(filePath: house.library.media.file(draft.take)))
        let made = HubDraft.Made(
            bytes: Int64(bytes.count), sha256: try house.payload(bytes).sha256,
            sound: HubSound(seconds: 2, peaks: [1, 2]), receipt: "{\"v\":1}")
        #expect(try await house.library.finish(draft, as: made))
        try await house.library.note(HubSound(seconds: 10, peaks: [255, 0]), of: draft)
    }

    private func json(_ answer: TestResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
    }

    @Test func `recordings that are begun and never sent are refused when they are too many`() async throws {
        try await house.application(HubHousehold.settings()).application().test(.router) { client in
            let ann = try await Member("ann", at: house, client)
            var fields = HTTPFields()
            for (name, value) in [
                "Tus-Resumable": "1.0.0", "Upload-Defer-Length": "1", "Upload-Metadata": "draft MQ==",
            ] { fields[try #require(HTTPField.Name(name))] = value }
            for _ in 0..<HubLibrary.mostUnfinished {
                #expect(try await ann.ask(.post, "/api/uploads", fields).status == .created)
            }
            let refused = try await ann.ask(.post, "/api/uploads", fields)
            #expect(refused.status == .tooManyRequests && refused.text.contains("/problems/too-many-uploads"))
            #expect(refused.headers[.retryAfter] == "60")
            let bob = try await Member("bob", at: house, client)
            #expect(try await bob.ask(.post, "/api/uploads", fields).status == .created)
        }
    }

    @Test func `a recording is looked at, cut, heard and published`() async throws {
        try await house.application(HubHousehold.settings()).application().test(.router) { client in
            let ann = try await Member("ann", at: house, client)
            let id = try await record([1, 2, 3], by: ann)
            var facts = try json(try await ann.ask(.get, "\(Self.path)/\(id)"))
            #expect(facts["state"] as? String == "making" && facts["bytes"] as? Int == 3)
            #expect(facts["from"] is NSNull && facts["receipt"] is NSNull && facts["url"] is NSNull)
            #expect(try await ann.ask(.get, "\(Self.path)/\(id)/clip.mp3").status == .notFound)
            try await make(id)
            facts = try json(try await ann.ask(.get, "\(Self.path)/\(id)"))
            #expect(facts["state"] as? String == "ready" && facts["seconds"] as? Double == 10)
            #expect(facts["peaks"] as? String == Data([255, 0]).base64EncodedString())
            #expect((facts["receipt"] as? [String: Any])?["v"] as? Int == 1)
            let heard = try await ann.ask(.get, try #require(facts["url"] as? String), [.range: "bytes=2-3"])
            #expect(heard.status == .partialContent && heard.text == "cl")
            #expect(heard.headers[.accessControlAllowOrigin] == nil)

            let cut = try json(
                try await ann.ask(
                    .put, "\(Self.path)/\(id)", Self.type,
                    ByteBuffer(string: #"{"title":"A horn","text":"Hear this","from":0.5,"to":null}"#)))
            #expect(cut["state"] as? String == "making" && cut["from"] as? Double == 0.5 && cut["to"] is NSNull)
            #expect(cut["title"] as? String == "A horn" && cut["text"] as? String == "Hear this")
            try await make(id)
            let words = #"{"visibility":"followers","language":"en"}"#
            let published = try await ann.ask(
                .post, "\(Self.path)/\(id)/publication", Self.type, ByteBuffer(string: words))
            #expect(published.status == .ok)
            let answer = try json(published)
            let clip = try #require(answer["clip"] as? String)
            #expect(answer["page"] as? String == "/c/\(clip)" && (answer["onward"] as? [Any])?.isEmpty == true)
            #expect(answer["text"] as? String == "Hear this #Chirp\n\(HubHousehold.publicURL)/c/\(clip)")
            let owner = try #require(try await house.library.draft(id)).owner
            let post = try await house.library.seen(by: .member(owner)).post(named: answer["post"] as? String ?? "")
            #expect(post?.visibility == .followers && post?.language == "en" && post?.clip?.title == "A horn")
            // The same again, whatever it says.
            let again = try await ann.ask(
                .post, "\(Self.path)/\(id)/publication", Self.type, ByteBuffer(string: #"{"title":"Other"}"#))
            #expect(again.status == .ok && again.text == published.text)
            #expect(try await ann.ask(.get, Self.path).text == #"{"drafts":[]}"#)
            #expect(try await ann.ask(.get, "\(Self.path)/\(id)").status == .notFound)
            #expect(try await ann.ask(.get, "/media/\(clip).mp3").text == "a clip")
        }
    }

    @Test func `others and visitors find nothing`() async throws {
        try await house.application(HubHousehold.settings()).application().test(.router) { client in
            let ann = try await Member("ann", at: house, client)
            let eve = try await Member("eve", at: house, client)
            let id = try await record([1], by: ann)
            try await make(id)
            let one = "\(Self.path)/\(id)"
            for (method, path) in [
                (.get, one), (.get, "\(one)/clip.mp3"), (.put, one), (.post, "\(one)/publication"), (.delete, one),
            ] as [(HTTPRequest.Method, String)] {
                let answer = try await eve.ask(method, path)
                #expect(answer.status == .notFound && answer.text.contains("/problems/no-draft"), "\(method) \(path)")
                let visitor = try await client.execute(uri: path, method: method)
                #expect(visitor.status == .unauthorized, "\(method) \(path)")
            }
            #expect(try await eve.ask(.get, Self.path).text == #"{"drafts":[]}"#)
            #expect(try await ann.ask(.delete, one).status == .noContent)
            #expect(try await ann.ask(.get, one).status == .notFound)
        }
    }

    @Test func `what cannot be published is said with its kind`() async throws {
        try await house.application(HubHousehold.settings(), clock: HurriedClock()).application().test(.router) {
            client in
            let ann = try await Member("ann", at: house, client)
            let id = try await record([1], by: ann)
            let path = "\(Self.path)/\(id)/publication"
            func publish(_ words: String) async throws -> TestResponse {
                try await ann.ask(.post, path, Self.type, ByteBuffer(string: words))
            }
            // Nobody makes it: the answer is how far it is.
            let making = try await publish("{}")
            #expect(making.status == .accepted && making.text.contains("\"state\":\"making\""))
            try await make(id)
            for (words, kind) in [
                (#"{"visibility":"secret"}"#, "invalid"), (#"{"language":"<script>"}"#, "invalid"),
                (#"{"from":2,"to":1}"#, "invalid"), (#"{"from":-1}"#, "invalid"), (#"{"from":11}"#, "invalid"),
                (#"{"from":"soon"}"#, "invalid"), (#"{"onward":["mastodon"]}"#, "invalid"),
                (#"{"answers":"nothing"}"#, "invalid"), (#"{"to":"@nobody"}"#, "invalid"),
                (#"{"text":"\#(String(repeating: "long ", count: 210))"}"#, "too-long-text"),
            ] {
                let answer = try await publish(words)
                #expect(answer.status == .unprocessableContent, "\(words.prefix(40))")
                #expect(answer.text.contains("/problems/\(kind)"), "\(words.prefix(40))")
            }
            #expect(try await publish("[").status == .badRequest)
            let draft = try #require(try await house.library.draft(id))
            #expect(draft.state == .ready && draft.published == nil)
            _ = try await house.library.change(id, of: draft.owner, to: .init(title: "", from: 1), text: "")
            try await house.library.refuse(
                try #require(try await house.library.draft(id)), because: "it is silent")
            let refused = try await publish("{}")
            #expect(refused.status == .unprocessableContent && refused.text.contains("it is silent"))
            #expect(refused.text.contains("/problems/refused"))
        }
    }

    @Test func `a publication that waits goes on with the clip, without looking again and again`() async throws {
        let house = house
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (allowed, allow) = AsyncStream<Void>.makeStream()
        let intake = ClipIntake { (order) async throws(ClipIntake.Failure) in
            ask.yield()
            for await _ in allowed { break }
            do {
                let bytes = Array("late".utf8)
                try Data(bytes).write(to: URL(filePath: order.goal ?? ""))
                let payload = try house.payload(bytes)
                return ClipIntake.Made(bytes: 4, sha256: payload.sha256, seconds: 1, peaks: [1])
            } catch { throw .notNow("\(error)") }
        }
        let application = try house.application(HubHousehold.settings(), intake: intake).application()
        let services = ServiceGroup(services: application.services, logger: HubHousehold.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // What still waits when the server ends is cancelled.
            group.addTask { do { try await services.run() } catch is CancellationError {} }
            try await application.test(.router) { client in
                let ann = try await Member("ann", at: house, client)
                let id = try await record([1, 2], by: ann)
                for await _ in asked { break }
                @Sendable func publish() async throws -> TestResponse {
                    try await ann.ask(
                        .post, "\(Self.path)/\(id)/publication", Self.type, ByteBuffer(string: #"{"text":"Late"}"#))
                }
                async let first = publish()
                async let second = publish()
                allow.yield()
                let answers = try await [first, second]
                #expect(answers[0].status == .ok && answers[0].text == answers[1].text)
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
        #expect(try await house.library.seen(by: .visitor).posts(limit: 10).count == 1)
    }

    @Test func `a direct message and an answer go to those for whom they are`() async throws {
        try await house.application(HubHousehold.settings()).application().test(.router) { client in
            let ann = try await Member("ann", at: house, client)
            let bob = try await Member("bob", at: house, client)
            let first = try await record([1], by: ann)
            try await make(first)
            let message = try await ann.ask(
                .post, "\(Self.path)/\(first)/publication", Self.type,
                ByteBuffer(string: #"{"text":"For you","to":"@bob"}"#))
            #expect(message.status == .ok)
            let text = try #require(try json(message)["text"] as? String)
            #expect(text.hasPrefix("@bob For you #Chirp\n"))
            let post = try #require(try json(message)["post"] as? String)
            let second = try await record([2], by: bob)
            try await make(second)
            let answer = try await bob.ask(
                .post, "\(Self.path)/\(second)/publication", Self.type,
                ByteBuffer(string: #"{"text":"Thanks","answers":"\#(post)"}"#))
            #expect(answer.status == .ok)
        }
    }

    @Test func `everybody reads the page, and a browser without script sends a file`() async throws {
        try await house.application(HubHousehold.settings()).application().test(.router) { client in
            let visitor = try await client.execute(uri: "/record", method: .get)
            #expect(visitor.status == .ok && visitor.text.contains("data-record"))
            #expect(visitor.text.contains("\"signedIn\":\"\""))
            let ann = try await Member("ann", at: house, client)
            let page = try await ann.ask(.get, "/record")
            #expect(page.status == .ok && page.text.contains("\"signedIn\":\"yes\""))
            #expect(page.text.contains("\"longest\":\"140\"") && page.text.contains("\"tag\":\"#Chirp\""))
            let token = try #require(page.text.firstMatch(of: #/name="token" value="([^"]*)"/#)?.1)
            func send(_ file: String, token: Substring) async throws -> TestResponse {
                let form = """
                    --x\r\nContent-Disposition: form-data; name="token"\r\n\r\n\(token)\r\n--x\r\n\
                    Content-Disposition: form-data; name="recording"; filename="take.wav"\r\n\r\n\(file)\r\n--x--\r\n
                    """
                return try await ann.ask(
                    .post, "/record", [.contentType: "multipart/form-data; boundary=x"], ByteBuffer(string: form))
            }
            #expect(try await send("sound", token: "forged").status == .forbidden)
            #expect(try await send("", token: token).status == .unprocessableContent)
            let sent = try await send("sound", token: token)
            #expect(sent.status == .seeOther && sent.location.hasPrefix("/record?draft="))
            let id = try #require(HubID(sent.location.split(separator: "=").last ?? ""))
            let draft = try #require(try await house.library.draft(id))
            #expect(draft.state == .making)
            #expect(
                try String(contentsOfFile: house.library.uploads.file(id), encoding: .utf8) == "sound")
        }
    }
}
