import ChirpFederation
import ChirpHTTP
import Testing

/// Ids of the fediverse.
@Suite struct ObjectIDTests {
    @Test func `an id keeps its fragment, and is fetched without it`() throws {
        let id = try #require(ObjectID("https://Mastodon.example/users/ann#main-key"))
        #expect(id.text.hasSuffix("#main-key") && id.address.text == "https://mastodon.example/users/ann")
        #expect(id.host == "mastodon.example" && id.fragment("x/1").text == "https://mastodon.example/users/ann#x/1")
    }

    @Test(arguments: [
        "", "acct:ann@hub.example", "https://", "https://a b", "https://u@hub.example/", "javascript:alert(1)",
        "https://hub.example/" + String(repeating: "a", count: 2048), "https://hub.example/é",
    ])
    func `what is no address is no id`(text: String) { #expect(ObjectID(text) == nil) }
}
