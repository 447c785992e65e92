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

/// Films over the web, from the first byte to those who watch them, with something scripted that makes what is shown (OU-5, OU-14).
@Suite struct FilmRouteTests {
    private let house: HubHousehold
    private let cast: HubCast
    private static let quota = ByteCount(Int64(1_000_000))
    private let orders = Mutexed<[FilmIntake.Order]>([])

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    /// Something that does what a script says, one line each time it is asked.
    private func intake(_ script: [ClipIntake.Failure?] = []) -> FilmIntake {
        let orders = orders
        return FilmIntake { order throws(ClipIntake.Failure) in
            let number = orders.value.count
            orders.change { $0.append(order) }
            if number < script.count, let failure = script[number] { throw failure }
            do {
                for (file, path) in order.goals where file != .plain || order.timer != nil {
                    try Data("the \(file.rawValue) of \(order.name)".utf8).write(to: URL(filePath: path))
                }
            } catch {
                throw .notNow("\(error)")
            }
            return HubFilm.Facts(
                milliseconds: 2000, width: 640, height: 360, hasSound: true, hasTimer: order.timer != nil)
        }
    }

    private func work(_ script: [ClipIntake.Failure?] = []) -> MediaWork {
        let none = ClipIntake { _ throws(ClipIntake.Failure) in throw .notNow("no clips") }
        return MediaWork(
            library: house.library, quota: Self.quota, intake: none, films: intake(script), clock: HurriedClock(),
            logger: HubHousehold.logger)
    }

    private func send(_ owner: AccountID, timer: Int? = nil) async throws -> HubID {
        var wishes = MediaItem.Wishes()
        wishes.film = MediaItem.Film(timer: timer)
        wishes.fileName = "take.mp4"
        let item = try await house.library.beginUpload(wishes, bytes: 3, of: owner, quota: Self.quota)
        try Data([1, 2, 3]).write(to: URL(filePath: house.library.uploads.file(item.id)))
        #expect(try await house.library.completeUpload(item.id))
        return item.id
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: house.folder.path("hub/films")).sorted()
    }

    @Test func `what was sent becomes a film, and a process that dies in between leaves it to the next`() async throws {
        let ann = try await cast.member("ann").id
        let id = try await send(ann, timer: 700)
        await work([.died, .notNow("the disk is full")]).takeInFilm(id)
        let film = try #require(try await house.library.film(id))
        #expect(film.state == .ready && film.facts?.width == 640)
        #expect(orders.value.map(\.timer) == [700, 700, 700] && orders.value.map(\.name).last == "take.mp4")
        #expect(try names().count == 6)
        #expect(try Data(contentsOf: URL(filePath: house.library.films.file(id, .original))) == Data([1, 2, 3]))

        // All was made, and the row was not written yet.
        let other = try await send(ann)
        try house.library.films.keep(house.library.uploads.file(other), as: other)
        try Data("half".utf8).write(to: URL(filePath: house.library.films.file(other, .shown)))
        await work().takeInFilm(other)
        #expect(try await house.library.film(other)?.state == .ready)
        let shown = try #require(
            try await house.library.seen(by: .member(ann)).film(other, .shown)?.file.read(at: 0, count: 100))
        #expect(String(decoding: shown, as: UTF8.self) == "the shown of take.mp4")
    }

    @Test func `what is no film is refused with the reason, and leaves nothing`() async throws {
        let ann = try await cast.member("ann").id
        let (bad, deadly) = (try await send(ann), try await send(ann))
        await work([.refused("it is \u{1B}[31mnone")]).takeInFilm(bad)
        let film = try #require(try await house.library.film(bad))
        #expect(film.state == .refused && film.why?.contains("none") == true && film.why?.contains("\u{1B}") == false)
        await work([nil, .died, .died]).takeInFilm(deadly)
        #expect(try await house.library.film(deadly)?.state == .refused)
        #expect(try names().isEmpty)
    }

    private func begin<R>(
        _ client: RouterClient<R>, _ token: String, length: String?, timer: String = "0"
    ) async throws -> TestResponse {
        func text(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
        var headers: HTTPFields = [.authorization: "Bearer \(token)"]
        headers[try #require(HTTPField.Name("Tus-Resumable"))] = "1.0.0"
        headers[try #require(HTTPField.Name(length == nil ? "Upload-Defer-Length" : "Upload-Length"))] = length ?? "1"
        headers[try #require(HTTPField.Name("Upload-Metadata"))] =
            "use \(text("film")),timer \(text(timer)),filename \(text("take.mp4"))"
        return try await client.execute(uri: "/api/uploads", method: .post, headers: headers, body: nil)
    }

    @Test func `a film comes in by tus, and a hub without the program says that it takes none`() async throws {
        let ann = try await cast.member("ann")
        let token = try await cast.token(of: ann, "read:media write:media")
        try await HubApplication(
            settings: cast.settings(), library: house.library, logger: HubHousehold.logger
        ).application().test(.router) { client in
            let answer = try await begin(client, token, length: "3")
            #expect(answer.status == .unprocessableContent && answer.text.contains("films-off"))
            #expect(answer.text.contains("sound alone is taken"))
        }
        try await HubApplication(
            settings: cast.settings(), library: house.library, logger: HubHousehold.logger, films: intake()
        ).application().test(.router) { client in
            #expect(try await begin(client, token, length: "100000001").status == .contentTooLarge)
            #expect(try await begin(client, token, length: nil).status == .badRequest)
            #expect(try await begin(client, token, length: "3", timer: "-1").status == .badRequest)
            let answer = try await begin(client, token, length: "3")
            #expect(answer.status == .created)
            let id = String(answer.location.suffix(22))
            let state = try await client.execute(
                uri: "/api/hub/v1/films/\(id)", method: .get, headers: [.authorization: "Bearer \(token)"], body: nil)
            #expect(state.status == .ok && state.text.contains("\"state\":\"receiving\""))
            #expect(try await house.library.film(#require(HubID(id)))?.timer == 0)
            let eve = try await cast.token(of: try await cast.member("eve"), "read:media write:media")
            let other = try await client.execute(
                uri: "/api/hub/v1/films/\(id)", method: .get, headers: [.authorization: "Bearer \(eve)"], body: nil)
            #expect(other.status == .notFound)
        }
    }

    @Test func `a film is sent in parts to those who may see it, and what was sent to nobody`() async throws {
        let ann = try await cast.member("ann")
        let id = try await send(ann.id)
        await work().takeInFilm(id)
        let application = try HubApplication(
            settings: cast.settings(), library: house.library, logger: HubHousehold.logger, films: intake())
        try await application.application().test(.router) { client in
            let path = "/films/\(id)-shown.mp4"
            #expect(try await Visitor(client).get(path).status == .notFound)
            let browser = try await cast.browser(of: "ann", client)
            let own = try await browser.get(path)
            #expect(own.status == .ok && own.headers[.contentType] == "video/mp4")
            #expect(own.headers[.cacheControl] == "private, no-cache")
            try await house.change(
                """
                INSERT INTO items (id, board, kind, key, account, title, text, category, tags, facets, state, created, changed)
                VALUES ('a', 'b', 'k', 'k', '\(ann.id)', 'A feat', '', '', '', '', 'open', 0, 0);
                INSERT INTO itemFilms (film, item, shown) VALUES ('\(id)', 'a', 1);
                """)
            let all = try await Visitor(client).get(path)
            #expect(all.status == .ok && all.headers[.acceptRanges] == "bytes" && all.text == "the shown of take.mp4")
            #expect(all.headers[.cacheControl] == "public, max-age=3600, must-revalidate")
            let part = try await client.execute(uri: path, method: .get, headers: [.range: "bytes=4-8"], body: nil)
            #expect(part.status == .partialContent && part.text == "shown")
            #expect(part.headers[.contentRange] == "bytes 4-8/21")
            let beyond = try await client.execute(uri: path, method: .get, headers: [.range: "bytes=99-"], body: nil)
            #expect(beyond.status == .rangeNotSatisfiable)
            let tag = try #require(all.headers[.eTag])
            let known = try await client.execute(uri: path, method: .get, headers: [.ifNoneMatch: tag], body: nil)
            #expect(known.status == .notModified)
            for (name, type) in [
                ("preview.mp4", "video/mp4"), ("poster.jpg", "image/jpeg"), ("sound.flac", "audio/flac"),
            ] {
                let answer = try await Visitor(client).get("/films/\(id)-\(name)")
                #expect(answer.status == .ok && answer.headers[.contentType] == type)
            }
            for name in ["original.film", "original.mp4", "shown.flac", "..%2Fkey"] {
                #expect(try await Visitor(client).get("/films/\(id)-\(name)").status == .notFound, "\(name)")
                #expect(try await browser.get("/films/\(id)-\(name)").status == .notFound, "\(name)")
            }
            for change in ["itemFilms SET shown = 0", "itemFilms SET shown = 1", "items SET hidden = 1"] {
                try await house.change("UPDATE \(change)")
                let status = try await Visitor(client).get(path).status
                #expect(status == (change.hasSuffix("shown = 1") ? .ok : .notFound), "\(change)")
            }
        }
    }
}
