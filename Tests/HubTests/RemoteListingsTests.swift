import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpListings
import ChirpNetworks
import ChirpPlaces
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Lost & Found of a hub as another machine meets it: heard as somebody's posts, and looked through.
@Suite(.timeLimit(.minutes(10))) struct RemoteListingsTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold(boards: [Listings.tables])
        cast = HubCast(house: house)
    }

    /// Lists something.
    @discardableResult
    private func place(
        _ title: String, by account: AccountID, at point: (Double, Double), clip: HubID? = nil
    ) async throws -> HubID {
        var draft = ListingDraft(side: .lost, category: .pets, title: title)
        draft.text = "It has a bell"
        draft.point = GeoPoint(latitude: point.0, longitude: point.1)
        draft.precision = .exact
        draft.happenedFrom = house.now.addingTimeInterval(-3600)
        draft.happenedTo = draft.happenedFrom
        draft.clip = clip
        return try await ListingStore(library: house.library).create(draft, by: account, key: UUID().uuidString)
    }

    private func root(_ port: Int) throws -> WebAddress { try #require(WebAddress("http://127.0.0.1:\(port)")) }

    @Test func `a spoken listing within the area is a post of the account near`() async throws {
        let ann = try await cast.member("ann")
        let clip = try await cast.clip(of: ann).id
        let far = try await cast.clip(of: ann).id
        try await place("Grey cat", by: ann.id, at: (50.7374, 7.0982), clip: clip)
        try await place("Dog elsewhere", by: ann.id, at: (50.7374, 7.2), clip: far)
        try await place("Read, not heard", by: ann.id, at: (50.7374, 7.0982))
        try await withLiveHub(house) { port in
            let area = try #require(ListingArea(latitude: 50.7350, longitude: 7.1, radius: 2000))
            let hub = RemoteHub(root: try root(port), transport: CurlTransport(), area: area)
            #expect(hub.properties.name == "near 50.7350,7.1000 2 km at 127.0.0.1")
            let accounts = try await hub.followed()
            #expect(accounts.map(\.handle) == ["near"])
            #expect(accounts.map(\.id) == [Account.ID("near:50.7350,7.1000:2000")])
            let (posts, next) = try await hub.posts(by: accounts.map(\.id), after: nil)
            let page = "http://127.0.0.1:\(port)/c/\(clip)"
            #expect(posts.map(\.links) == [[page]])
            let post = try #require(posts.first)
            #expect(post.author == accounts.first && post.tags.contains("chirp") && post.created == house.now)
            #expect(post.text.hasPrefix("New within 2 km, by @ann: Grey cat"))
            let links = ClipLinks(hubs: ["http://127.0.0.1:\(port)"])
            #expect(
                links.verdict(on: post, chosen: Set(accounts.map(\.id)))
                    == .clips([.hub("http://127.0.0.1:\(port)/media/\(clip).mp3")]))
            // Who chose somebody else hears nothing of it.
            #expect(try await hub.posts(by: [Account.ID("me")], after: nil).posts.isEmpty)
            // It goes on from there.
            #expect(try await hub.posts(by: accounts.map(\.id), after: next).posts.isEmpty)
            let later = try await cast.clip(of: ann).id
            try await place("Second cat", by: ann.id, at: (50.7350, 7.1), clip: later)
            let more = try await hub.posts(by: accounts.map(\.id), after: next)
            #expect(more.posts.map(\.links) == [["http://127.0.0.1:\(port)/c/\(later)"]])
            #expect(try await hub.posts(by: accounts.map(\.id), after: more.next).posts.isEmpty)
        }
    }

    @Test func `more listings than one answer holds are read on, oldest first`() async throws {
        let ann = try await cast.member("ann")
        for number in 0..<230 {
            let clip = try await cast.clip(of: ann).id
            try await place("\(number)", by: ann.id, at: (50.7374, 7.0982), clip: clip)
            // Nobody may list so much in an hour.
            house.wait(600)
        }
        try await withLiveHub(house) { port in
            let area = try #require(ListingArea(latitude: 50.7350, longitude: 7.1, radius: 2000))
            let hub = RemoteHub(root: try root(port), transport: CurlTransport(), area: area)
            let account = try #require(try await hub.followed().first)
            let (posts, _) = try await hub.posts(by: [account.id], after: nil)
            let titles = posts.map { $0.text.split(separator: " ").dropFirst(6).first.map(String.init) ?? "" }
            #expect(titles == (0..<230).map { "\($0)" })
        }
    }

    @Test func `it is searched by words and place, and what is refused is said in the hub's words`() async throws {
        let ann = try await cast.member("ann")
        try await place("Grey cat", by: ann.id, at: (50.7374, 7.0982))
        try await place("Grey dog", by: ann.id, at: (48.1374, 11.5755))
        try await withLiveHub(house) { port in
            let board = RemoteListings(root: try root(port), transport: CurlTransport())
            #expect(try await board.search(["q": "grey"]).listings.map(\.title) == ["Grey dog", "Grey cat"])
            let near = try await board.search(["q": "grey", "at": "50.73,7.10", "within": "5"])
            #expect(near.listings.map(\.title) == ["Grey cat"] && near.next == nil)
            // That no place is called so is an answer of its own.
            let nowhere = try await board.search(["q": "grey", "place": "Xyzzyplugh"])
            #expect(nowhere.placeUnknown == true && nowhere.listings.isEmpty && near.placeUnknown == nil)
            let cat = try #require(near.listings.first)
            #expect(cat.side == "lost" && cat.state == "open" && cat.author.handle == "ann")
            await #expect(throws: RemoteListings.Refusal.network(.signedOut(network: "hub"))) {
                _ = try await board.act("closure", on: cat.id, ["outcome": "found"])
            }
        }
    }

    @Test(
        arguments: [
            (2000.0, "2 km"), (2500, "2.5 km"), (100, "100 m"), (999.4, "999 m"), (1999, "2 km"), (100_000, "100 km"),
        ])
    func `a distance is said as people say it`(metres: Double, text: String) throws {
        #expect(try #require(ListingArea(latitude: 0, longitude: 0, radius: metres)).distance == text)
    }

    @Test func `a place is named to ten metres, and what is none is refused`() throws {
        let table: [(Double, Double, String)] = [
            (50.73, 7.1, "50.7300,7.1000"), (-0.00001, -179.99999, "0.0000,-180.0000"),
            (-33.86785, 151.20732, "-33.8679,151.2073"), (0.00996, 0.9999, "0.0100,0.9999"),
        ]
        for (latitude, longitude, text) in table {
            #expect(try #require(ListingArea(latitude: latitude, longitude: longitude, radius: 2000)).point == text)
        }
        let nowhere: [(Double, Double, Double)] = [
            (91, 0, 2000), (0, 181, 2000), (0, 0, 99), (0, 0, 100_001), (.nan, 0, 2000), (0, 0, .infinity),
        ]
        for (latitude, longitude, radius) in nowhere {
            #expect(ListingArea(latitude: latitude, longitude: longitude, radius: radius) == nil)
        }
    }
}
