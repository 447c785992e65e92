import ChirpBoards
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Synchronization
import Testing

/// Pages of boards that visitors are shown again while nothing has changed (boards.md 5.1.2).
@Suite struct KeptPageTests {
    private let house: HubHousehold
    private let cast: HubCast
    private let shelf = Shelf()

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    private func hub() throws -> HubApplication {
        var hub = try house.application(cast.settings())
        hub.furtherBoards = { [shelf] _ in [shelf.board] }
        return hub
    }

    @Test func `what one visitor was shown is shown to the next, with the same head`() async throws {
        try await hub().application().test(.router) { client in
            let first = try await Visitor(client).get("/shelf?a=1")
            let second = try await Visitor(client).get("/shelf?a=1")
            #expect(first.text.contains("<h1>1</h1>") && second.text == first.text)
            #expect(second.headers == first.headers && second.headers[.contentSecurityPolicy] != nil)
            #expect(try await Visitor(client).get("/shelf?a=2").text.contains("<h1>2</h1>"))
        }
    }

    @Test func `whatever is written down, by this process or another, is seen at once`() async throws {
        let other = try HubHousehold(sharing: house)
        try await hub().application().test(.router) { client in
            for (number, writer) in [house, other, house].enumerated() {
                #expect(try await Visitor(client).get("/shelf").text.contains("<h1>\(number + 1)</h1>"))
                try await writer.post("Something else")
            }
            #expect(try await Visitor(client).get("/shelf").text.contains("<h1>4</h1>"))
        }
    }

    @Test func `a page that something was written during is not shown again`() async throws {
        shelf.interrupt { [house] in _ = try await house.post("Meanwhile") }
        try await hub().application().test(.router) { client in
            let first = try await Visitor(client).get("/shelf")
            shelf.interrupt(nil)
            let second = try await Visitor(client).get("/shelf")
            #expect(first.text.contains("<h1>1</h1>") && second.text.contains("<h1>2</h1>"))
        }
    }

    @Test(arguments: [(4.0, 1), (6, 2), (-1, 2)])
    func `some seconds later it is made anew, since time passes by itself`(seconds: Double, made: Int) async throws {
        try await hub().application().test(.router) { client in
            _ = try await Visitor(client).get("/shelf")
            house.wait(seconds)
            #expect(try await Visitor(client).get("/shelf").text.contains("<h1>\(made)</h1>"))
        }
    }

    @Test func `who is signed in, speaks another language or has something already is shown a page of her own`()
        async throws
    {
        try await cast.member("ann")
        try await hub().application().test(.router) { client in
            let ann = try await cast.browser(of: "ann", client)
            _ = try await Visitor(client).get("/shelf")
            #expect(try await ann.get("/shelf").text.contains("<h1>2</h1><p>ann"))
            #expect(try await Visitor(client).get("/shelf").text.contains("<h1>1</h1><p>nobody"))
            let german = try await Visitor(client).get("/shelf", [.acceptLanguage: "de"])
            #expect(german.text.contains("<html lang=\"de\"") && german.text.contains("<h1>3</h1>"))
            for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince, .range, .cookie] {
                let made = shelf.made
                _ = try await Visitor(client).get("/shelf", [name: "a=b"])
                #expect(shelf.made == made + 1, "\(name)")
            }
        }
    }

    @Test(arguments: ["/shelf/secret", "/shelf/cookie", "/shelf/text", "/shelf/missing", "/other"])
    func `what is meant for one alone, is no page, no answer or no board's is made each time`(path: String) async throws
    {
        try await hub().application().test(.router) { client in
            for number in 1...2 {
                _ = try await Visitor(client).get(path)
                #expect(shelf.made == number)
            }
        }
    }

    @Test func `all pages together take no more room than there is, and what is asked for often stays`() {
        let pages = KeptPages(room: 1600, patience: 5)
        let page = KeptPages.Page(headers: [:], body: ByteBuffer(repeating: 0, count: 100), made: house.now)
        var found = 0
        for number in 0..<100 {
            pages.keep(page, "\(number)", version: 1)
            if pages.page("0", version: 1, at: house.now) != nil { found += 1 }
        }
        #expect(found == 100)
        let kept = (0..<100).filter { pages.page("\($0)", version: 1, at: house.now) != nil }
        #expect(kept.count <= 16 && kept.contains(99) && !kept.contains(50))
        let large = KeptPages.Page(headers: [:], body: ByteBuffer(repeating: 0, count: 101), made: house.now)
        pages.keep(large, "large", version: 1)
        #expect(pages.page("large", version: 1, at: house.now) == nil)
    }
}

/// A board whose pages say how many were made.
private final class Shelf: Sendable {
    private let count = Mutex(0)
    private let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)

    var made: Int { count.withLock { $0 } }
    /// What happens while a page is made.
    func interrupt(_ work: (@Sendable () async throws -> Void)?) { meanwhile.withLock { $0 = work } }

    private func make(_ context: WebContext) async throws -> Response {
        let number = count.withLock {
            $0 += 1
            return $0
        }
        try await meanwhile.withLock { $0 }?()
        let name = context.person?.handle ?? "nobody"
        return .page(Layout(prefix: "").page(title: "Shelf", body: "<h1>\(number)</h1><p>\(name)</p>"))
    }

    var board: Board {
        Board(
            name: "shelf", title: { "Shelf" },
            routes: [
                .get("/shelf") { _, context in try await self.make(context) },
                .get("/shelf/secret") { _, context in try await self.make(context).personal },
                .get("/shelf/cookie") { _, context in
                    var answer = try await self.make(context)
                    answer.headers[.setCookie] = "a=b; HttpOnly; SameSite=Lax; Path=/; Secure"
                    return answer
                },
                .get("/shelf/text") { _, context in
                    var answer = try await self.make(context)
                    answer.headers[.contentType] = "text/plain"
                    return answer
                },
                .get("/shelf/missing") { _, context in
                    var answer = try await self.make(context)
                    answer.status = .notFound
                    return answer
                },
                .get("/other") { _, context in try await self.make(context) },
            ])
    }
}
