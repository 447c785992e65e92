import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpListings
import ChirpPlaces
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// A listing's poster over the web (LF-11): who gets it, and what stands on it.
@Suite struct PosterRouteTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }

    init() throws { cast = try .withListings() }

    private func place(
        by account: AccountID, _ change: (inout ListingDraft) -> Void = { _ in }
    ) async throws -> HubID {
        var draft = ListingDraft(side: .lost, category: .pets, title: "Grey cat Mimi")
        draft.text = "One white paw"
        draft.point = GeoPoint(latitude: 50.73683, longitude: 7.14762)
        draft.placeName = "Bonn, Germany"
        draft.happenedFrom = house.now.addingTimeInterval(-7200)
        draft.happenedTo = house.now.addingTimeInterval(-3600)
        draft.reward = "50 Euro"
        draft.phone = "0228 123456"
        change(&draft)
        return try await ListingStore(library: house.library).create(draft, by: account, key: UUID().uuidString)
    }

    /// What stands on a sheet, with one space between words.
    private func text(_ answer: TestResponse) throws -> String {
        let path = house.folder.path("poster.pdf")
        try Data(answer.body.readableBytesView).write(to: URL(filePath: path))
        let read = try ExternalProgram("pdftotext").run(["-layout", path, "-"])
        #expect(read.status == 0)
        return read.text.split { $0.isWhitespace }.joined(separator: " ")
    }

    @Test func `a sheet says what the page says to everybody, to its author too`() async throws {
        let ann = try await cast.member("ann")
        let id = try await place(by: ann.id)
        let page = "/lost-and-found/\(id)"
        try await house.application(cast.settings()).application().test(.router) { client in
            let visitor = Visitor(client)
            #expect(try await visitor.get(page).text.contains("\(page)/poster.pdf"))
            let answer = try await visitor.get("\(page)/poster.pdf")
            #expect(answer.status == .ok && answer.headers[.contentType] == "application/pdf")
            #expect(answer.headers[.cacheControl] == "private, max-age=60")
            let said = try text(answer)
            for words in [
                "LOST", "Grey cat Mimi", "One white paw", "Bonn, Germany", "Reward: 50 Euro", "between 15 January 2027",
            ] { #expect(said.contains(words), "\(words): \(said)") }
            #expect(!said.contains("50.73") && !said.contains("0228"))
            let own = try await cast.browser(of: "ann", client).get("\(page)/poster.pdf")
            #expect(own.body == answer.body, "the author gives away no more than others")
            let tag = try #require(answer.headers[.eTag])
            #expect(try await visitor.get("\(page)/poster.pdf", [.ifNoneMatch: tag]).status == .notModified)
            let german = try text(try await visitor.get("\(page)/poster.pdf", [.acceptLanguage: "de"]))
            #expect(german.contains("VERLOREN") && german.contains("Finderlohn: 50 Euro"))
        }
    }

    @Test func `a place without a name is as coarse as it is shown, and a picture that cannot be drawn is left out`()
        async throws
    {
        let ann = try await cast.member("ann")
        let file = NewPicture.File(jpeg: [0xFF, 0xD8, 0xFF, 1], width: 300, height: 200)
        let print = try #require(PicturePrint(bits: [UInt8](repeating: 7, count: 32), quality: 90))
        let picture = try await house.library.addPicture(
            NewPicture(small: file, medium: file, large: file, print: print), of: ann.id,
            quota: ByteCount(1_000_000))
        let near = try await place(by: ann.id) { draft in
            (draft.placeName, draft.side, draft.pictures) = ("", .found, [picture.id])
        }
        let exact = try await place(by: ann.id) { ($0.placeName, $0.precision) = ("", .exact) }
        let seen = try await ListingStore(library: house.library).listing(near, for: .visitor)
        guard case .listing(let listing)? = seen, let shown = listing.item.place?.shown else {
            Issue.record("it is not seen")
            return
        }
        try await house.application(cast.settings()).application().test(.router) { client in
            let visitor = Visitor(client)
            let said = try text(try await visitor.get("/lost-and-found/\(near)/poster.pdf"))
            let latitude = (shown.latitude * 1000).rounded() / 1000
            #expect(said.contains("FOUND") && said.contains("about \(latitude),"), "\(said)")
            let other = try text(try await visitor.get("/lost-and-found/\(exact)/poster.pdf"))
            #expect(other.contains("50.7368,7.1476"), "\(other)")
        }
    }

    @Test func `what is gone has no poster, and neither has what never was`() async throws {
        let ann = try await cast.member("ann")
        let id = try await place(by: ann.id)
        try await ListingStore(library: house.library).withdraw(id, reason: "By mistake", by: ann.id)
        try await house.application(cast.settings()).application().test(.router) { client in
            let visitor = Visitor(client)
            let gone = try await visitor.get("/lost-and-found/\(id)/poster.pdf")
            #expect(gone.status == .gone && gone.text.contains("took it back"))
            #expect(try await visitor.get("/lost-and-found/\(HubID())/poster.pdf").status == .notFound)
            #expect(try await visitor.get("/lost-and-found/x/poster.pdf").status == .notFound)
        }
    }
}
