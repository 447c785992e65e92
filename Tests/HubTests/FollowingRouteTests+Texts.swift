import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Names and words of people at other servers, wherever pages have them.
extension FollowingRouteTests {
    @Test(arguments: [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='x", "</textarea><script>",
        "<svg onload=alert(1)>", "<math><mtext><style><!--</style>", "a\r\nSet-Cookie: x=1", "\u{202E}gpj.exe",
        "]]>--><!--",
        "javascript:alert(1)", "&#60;script&#62;", "{{7*7}} ${7*7} #{7*7}", "x'; DELETE FROM accounts; --",
    ])
    func `what another server says of somebody is only text`(text: String) async throws {
        let ann = try await member("ann")
        let clip = try await house.save(title: "Blackbird")
        try await house.change("UPDATE clips SET owner = '\(ann.id.rawValue)' WHERE id = '\(clip)'")
        var draft = PostDraft(author: ann.id, text: "Blackbird #Chirp", key: "one")
        draft.clip = HubID(clip)
        let post = try await house.library.post(draft)
        // As an inbox keeps them.
        var facts = bob.facts
        facts.name = PlainText(text, limit: 200).value
        facts.inbox = "\(bob.id)/inbox');DELETE/**/FROM/**/accounts;--"
        let person = try await house.library.keep(facts)
        let author = try #require(try await house.library.introduce(person))
        try await house.library.follow(author.id, by: ann.id)
        let reply = RemoteReply(
            address: "\(bob.id)/1", text: PlainText.lines(text, limit: RemoteReply.longest), page: bob.id)
        try await house.library.apply(.reply(to: post.id, reply), by: person, activity: "\(bob.id)/2")
        try await application().application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            for path in ["/notices", "/@bob@far.example", "/@ann/following", "/search?q=bob", "/c/\(clip)"] {
                let answer = try await browser.get(path)
                #expect(answer.status == .ok, "\(path)")
                for piece in [
                    "<script>", "<img src=x", "<svg onload", "<math", "<style", "<!--", "' onfocus='", "\u{202E}",
                    "href=\"javascript:", "alert(1)>", "49 49 49",
                ] {
                    #expect(!answer.text.contains(piece), "\(piece) in \(path)")
                }
                #expect(answer.headers[.setCookie]?.contains("x=1") != true)
            }
            #expect(try await browser.get("/notices").text.contains("@bob@far.example"))
            #expect(try await waiting().map(\.kind) == [.follow])
        }
    }
}
