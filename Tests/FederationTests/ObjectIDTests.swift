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
        "https://hub.example./users/ann", "https://HUB.example.:443/users/ann", "https://hub.example../users/ann",
    ])
    func `what is no address is no id`(text: String) { #expect(ObjectID(text) == nil) }

    @Test(arguments: [
        ("https://one.example/a", true), ("https://ONE.Example/b", true), ("https://one.example:443/c", true),
        ("https://one.example:8443/a", false), ("http://one.example/a", false), ("https://two.example/a", false),
        ("https://one.example.two.example/a", false), ("https://aone.example/a", false),
        ("https://a.one.example/a", false), ("https://xn--ne-lka.example/a", false), ("https://[::1]/a", false),
    ])
    func `one server has one origin, however its host is written`(text: String, isSame: Bool) throws {
        let id = try #require(ObjectID(text))
        #expect((id.origin == ObjectID("https://one.example/users/bob")?.origin) == isSame)
    }
}
