import ChirpCommunity
import ChirpHub
import HubHousehold
import Hummingbird
import Testing

/// What the owner says of the hub on `/about`.
@Suite struct AboutTests {
    private let house: HubHousehold

    init() throws { house = try HubHousehold() }

    private func page(_ words: HubWords) async throws -> String {
        var settings = try HubSettings(HubAddress(port: 0, publicURL: HubHousehold.publicURL))
        settings.words = words
        return try await house.application(settings).application().test(.router) { client in
            try await Visitor(client).get("/about").text
        }
    }

    @Test func `the owner's words stand there, and https addresses alone are links`() async throws {
        var words = HubWords()
        words.about = "A choir <b>\nof the harbour #sea"
        words.rules = "Sing http://plain.example/x javascript:alert(1)"
        words.contact = "Write to ann@example.org or https://choir.example/a?b=1&c=2."
        let page = try await page(words)
        #expect(page.contains("A choir &lt;b&gt;<br>of the harbour #sea"))
        #expect(page.contains("http://plain.example/x") && !page.contains("href=\"http://plain"))
        #expect(!page.contains("href=\"javascript") && !page.contains("mailto:"))
        #expect(page.contains("<a href=\"https://choir.example/a?b=1&amp;c=2\""))
    }

    @Test func `without any nothing is added`() async throws {
        #expect(!(try await page(HubWords()).contains("<p class=\"words\"")))
    }
}
