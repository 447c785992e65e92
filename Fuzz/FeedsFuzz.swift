import ChirpHTTP
@testable import ChirpNetworks
import FoundationEssentials

/// libFuzzer's entry: any bytes as the documents of Mastodon, X and a hub, and as an event stream; what can be decoded becomes
/// posts, and those are looked at for clips.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFeeds(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    guard let hub = WebAddress("http://studio.local:4747") else { return 0 }
    let response = HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: bytes)
    var posts: [Post] = []
    posts += response.json([MastodonStatus].self)?.map(\.post) ?? []
    posts += (response.json(MastodonStatus.self)?.post).map { [$0] } ?? []
    if let page = response.json(XAnswer<[XPost]>.self) {
        let users = page.includes?.users?.map(\.account) ?? []
        posts += (page.data ?? []).flatMap { post in users.map { post.post(by: $0) } }
    }
    posts += response.json(RemoteHub.Page.self)?.posts.map { $0.post(of: hub) } ?? []
    _ = response.json(RemoteHub.Accounts.self)?.accounts.map(\.account)
    for post in posts {
        if case .clips(let clips) = ClipLinks(hubs: ["https://clips.example"]).verdict(
            on: post, chosen: [post.author.id])
        {
            precondition((1...ClipLinks.maximum).contains(clips.count))
        }
    }
    if let rules = response.json(MastodonInstance.self)?.textRules { precondition(rules.limit > 0) }
    _ = (response.json(MastodonRefusal.self), response.json(XProblem.self).map { ($0.kind, $0.words) })
    _ = response.json(XUser.self)?.account
    let text = response.text
    if let cursor = XCursor(text) {
        _ = (XCursor(cursor.text), cursor.newest.earlier(by: .seconds(60)))
    }

    // However a stream is cut, the same events come.
    var whole = ServerSentEvents(host: "fuzz")
    let once = try? whole.take(bytes)
    var pieces = ServerSentEvents(host: "fuzz")
    var events: [ServerSentEvents.Event] = []
    for byte in bytes { events += (try? pieces.take([byte])) ?? [] }
    if let once { precondition(once == events && whole.lastID == pieces.lastID) }
    return 0
}
