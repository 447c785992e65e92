import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpOAuth
import ChirpOrders
import ChirpStores
import ChirpWeb
import Hummingbird

extension Parser {
    /// Parsers that stand behind others where they are used.
    static let internals: [Parser] = [
        Parser(
            "page of a shared file", limit: 1 << 20,
            [
                WorstShape("<form id=\"download-form"),
                WorstShape("<input name=\"id\" ", from: "<form id=\"download-form\">"),
                WorstShape("&amp;", from: "<form id=\"download-form\" action=\"", to: "\">"),
            ]
        ) { bytes in
            guard let address = WebAddress("https://a.example/") else { return }
            _ = DriveConfirmation(page: bytes, at: address)
        },
        .text(
            "first line and host", limit: fields, [WorstShape("a", from: "http://"), WorstShape("%41", from: "/?")]
        ) {
            _ = RequestHost.isOne(target: $0, fields: [$0], mayLack: false)
            _ = target($0).uri.queryParameters["a"]
        },
        Parser("JSON of a network, posts", limit: 1 << 20, json) { _ = answer($0).json([MastodonStatus].self) },
        Parser("JSON of a network, a post", json) { _ = answer($0).json(MastodonStatus.self) },
        Parser("keys of a sign-in service", keys + json) {
            _ = answer($0).json(WebKey.Set.self, within: .statement)
        },
        Parser("answer of a sign-in service", json) { _ = answer($0).json(TokenAnswer.self, within: .statement) },
        Parser("JSON of X", json) { _ = answer($0).json(XAnswer<[XPost]>.self) },
        Parser("JSON of a hub", json) { _ = answer($0).json(RemoteHub.Page.self) },
        Parser("JSON of payments", limit: 1 << 20, json) { _ = try? StripeEvent($0) },
        .text(
            "links to the next page",
            [
                WorstShape("<a>;rel=\"next\","), WorstShape("<a>;rel=a;"), WorstShape("<"),
                WorstShape("<a>;", to: "rel=next"),
            ]
        ) { text in
            guard let page = WebAddress("https://a.example/") else { return }
            _ = LinkHeader.address(
                "next", in: ChirpHTTP.HTTPResponse(status: 200, headers: ["Link": text]), of: page)
        },
        .text("WebVTT", vtt) { _ = TimedText($0) },
        .text("words that are searched for", prose) {
            _ = SearchWords($0) { $0.split { !$0.isLetter && !$0.isNumber }.map(String.init) }
        },
        .text("links as networks count them", prose) { _ = LinkScan(Array($0.unicodeScalars)).spans },
    ]
}
