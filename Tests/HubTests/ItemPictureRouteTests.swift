import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Pictures of things over the web: sent by programs, shown to those who may see them.
@Suite struct ItemPictureRouteTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    private func hub() throws -> HubApplication {
        let pictures = PictureIntake { bytes throws(PictureIntake.Refusal) in
            bytes
        } item: { bytes throws(PictureIntake.Refusal) in
            guard bytes == Array("a picture".utf8),
                let print = PicturePrint(bits: [UInt8](repeating: 7, count: 32), quality: 90)
            else { throw PictureIntake.Refusal("it is none") }
            let file = NewPicture.File(jpeg: [0xFF, 0xD8, 0xFF, 1], width: 300, height: 200)
            return NewPicture(small: file, medium: file, large: file, print: print)
        }
        return try HubApplication(
            settings: cast.settings(), library: house.library, logger: HubHousehold.logger, pictures: pictures)
    }

    private func send<R>(
        _ file: String, _ client: RouterClient<R>, token: String?, name: String = "file"
    ) async throws -> TestResponse {
        let body = "--b\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"a\"\r\n\r\n\(file)\r\n--b--\r\n"
        var headers: HTTPFields = [.contentType: "multipart/form-data; boundary=b"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await client.execute(
            uri: "/api/hub/v1/pictures", method: .post, headers: headers, body: ByteBuffer(string: body))
    }

    @Test func `a program sends a picture; only its owner sees it until it is listed`() async throws {
        let ann = try await cast.member("ann")
        let token = try await cast.token(of: ann, "write:media")
        try await hub().application().test(.router) { client in
            let answer = try await send("a picture", client, token: token)
            #expect(answer.status == .created)
            let facts = try answer.facts
            let id = try #require(facts["id"] as? String)
            #expect(facts["width"] as? Int == 300)
            #expect(facts["small"] as? String == "\(HubHousehold.publicURL)/pictures/\(id)-small.jpg")
            let path = "/pictures/\(id)-medium.jpg"
            #expect(try await Visitor(client).get(path).status == .notFound)
            let browser = try await cast.browser(of: "ann", client)
            let own = try await browser.get(path)
            #expect(own.status == .ok && own.headers[.contentType] == "image/jpeg")
            #expect(own.headers[.cacheControl]?.hasPrefix("private") == true)
            #expect(own.headers[.xContentTypeOptions] == "nosniff")
            try await house.change(
                """
                INSERT INTO items (id, board, kind, key, account, title, text, category, tags, facets, state, created, changed)
                VALUES ('\(HubID())', 'b', 'lost', 'k', '\(ann.id)', 'A bag', '', 'bags', '', '', 'open', 0, 0);
                INSERT INTO itemPictures (item, position, picture) SELECT sequence, 0, '\(id)' FROM items;
                """)
            let shown = try await Visitor(client).get(path)
            #expect(shown.status == .ok && Array(buffer: shown.body) == [0xFF, 0xD8, 0xFF, 1])
            #expect(shown.headers[.cacheControl] == "public, max-age=3600, must-revalidate")
            let tag = try #require(shown.headers[.eTag])
            #expect(try await Visitor(client).get(path, [.ifNoneMatch: tag]).status == .notModified)

            // A cache that asks again is told to forget what was hidden or taken back.
            for change in ["hidden = 1", "hidden = 0, state = 'withdrawn'"] {
                try await house.change("UPDATE items SET \(change)")
                let gone = try await Visitor(client).get(path, [.ifNoneMatch: tag])
                #expect(gone.status == .gone && gone.headers[.cacheControl]?.contains("public") != true, "\(change)")
                #expect(try await browser.get(path).status == .ok)
            }
            // Of a draft nobody knows, and what was erased leaves no trace.
            for change in ["UPDATE items SET state = 'draft'", "DELETE FROM items"] {
                try await house.change(change)
                #expect(try await Visitor(client).get(path).status == .notFound, "\(change)")
            }
        }
    }

    @Test func `what is no picture, no form or nobody's is refused`() async throws {
        let token = try await cast.token(of: try await cast.member("ann"), "write:media")
        try await hub().application().test(.router) { client in
            let refused = try await send("<svg>", client, token: token)
            #expect(refused.status == .unprocessableContent && refused.text.contains("it is none"))
            #expect(try await send("", client, token: token).status == .unprocessableContent)
            #expect(try await send("a picture", client, token: token, name: "other").status == .unprocessableContent)
            #expect(try await send("a picture", client, token: nil).status == .unauthorized)
            for name in ["x", "..%2Fkey", "\(HubID())-small.jpg", "\(HubID())-huge.jpg"] {
                #expect(try await Visitor(client).get("/pictures/\(name)").status == .notFound)
            }
        }
    }
}
