import ChirpAccounts
import ChirpCommunity
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// The first page, search, and what every visitor can read about the hub (CH-21, CH-24, CH-26).
@Suite struct HomePageTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    @Test func `a visitor reads what this is and how to come in`() async throws {
        try await house.publish(title: "Harbour")
        for (registration, invites) in [(Registration.open, true), (.closed, false)] {
            try await house.application(cast.settings(registration)).application().test(.router) { client in
                let page = try await Visitor(client).get("/").text
                #expect(page.contains("Chirp is a place for voices") && page.contains("Harbour"))
                #expect(page.contains("<a class=\"go main\" href=\"/live\">Go live</a>"))
                #expect(page.contains("href=\"/signup\"") == invites)
                #expect(page.components(separatedBy: "<h1").count == 2)
            }
        }
    }

    @Test func `who follows nobody is told so, and follows somebody from there`() async throws {
        try await house.publish(title: "Harbour")
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let ann = try await cast.browser(of: "ann", client)
            let lonely = try await ann.get("/").text
            #expect(lonely.contains("You follow nobody yet") && lonely.contains("role=\"search\""))
            #expect(lonely.contains("<a class=\"go main\" href=\"/live\">Go live</a>"))
            #expect(lonely.contains("<a class=\"go second\" href=\"/record\">Record</a>"))
            #expect(try await ann.submit("/", to: "/follow").location == "/@me")
            let home = try await ann.get("/").text
            #expect(!home.contains("You follow nobody yet") && home.contains("Harbour"))
        }
    }

    @Test func `the pages speak the visitor's language`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            for path in ["/", "/help", "/about", "/search", "/nothing"] {
                let page = try await Visitor(client).get(path, [.acceptLanguage: "de"])
                #expect(
                    page.text.contains("<html lang=\"de\"") && page.text.contains("Zum Inhalt springen"), "\(path)")
            }
            #expect(try await Visitor(client).get("/", [.acceptLanguage: "de"]).text.contains("Sprechen und zuhören"))
        }
    }

    @Test func `a clip without a title is called by the first words of its post`() async throws {
        let id = try await house.save(title: "")
        let link = "\(HubHousehold.publicURL)/c/\(id)"
        try await house.post("Rain over the old harbour \(link) #Chirp", link: link)
        try await house.application(cast.settings()).application().test(.router) { client in
            let visitor = Visitor(client)
            for path in ["/", "/c/\(id)", "/@me"] {
                let page = try await visitor.get(path).text
                #expect(page.contains(">Rain over the old harbour<"), "\(path)")
                #expect(!page.contains("Untitled clip"), "\(path)")
            }
        }
    }

    @Test func `search finds people, tags, and what the viewer may see`() async throws {
        let ann = try await cast.member("ann")
        try await cast.member("annabel")
        _ = try await cast.clip(of: ann, title: "Harbour rain", text: "Wet #harbour")
        _ = try await cast.clip(of: ann, title: "Secret harbour", text: "Hush", visibility: .followers)
        try await house.application(cast.settings()).application().test(.router) { client in
            let visitor = Visitor(client)
            let found = try await visitor.get("/search?q=harbour").text
            #expect(found.contains("Harbour rain") && found.contains("href=\"/tags/harbour\""))
            #expect(!found.contains("Secret harbour"))
            #expect(try await cast.browser(of: "ann", client).get("/search?q=harbour").text.contains("Secret harbour"))
            #expect(try await visitor.get("/search?q=%40annab").text.contains("@annabel"))
            #expect(try await visitor.get("/search?q=rain+harbour").text.contains("Harbour rain"))
            // What stands for anything in SQL stands for itself here.
            #expect(!(try await visitor.get("/search?q=%25").text.contains("Harbour rain")))
            #expect(!(try await visitor.get("/search?q=%3Cscript%3E").text.contains("<script>")))
        }
    }

    @Test func `help and about answer what people ask`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let help = try await Visitor(client).get("/help").text
            for piece in [
                "Chromium, Chrome and Edge 115, Firefox 115, Safari 17", "https", "muted", "7 days", "<kbd>M</kbd>",
            ] {
                #expect(help.contains(piece), "\(piece)")
            }
            let about = try await Visitor(client).get("/about").text
            #expect(about.contains("clips.example.org") && about.contains("href=\"/signup\""))
            #expect(about.contains("href=\"/help\""))
        }
    }
}
