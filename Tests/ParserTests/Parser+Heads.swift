import ChirpCore
import ChirpFederation
import ChirpHTTP
import ChirpNetworks
import ChirpStores
import ChirpWeb
import FoundationEssentials
import HTTPTypes
import Hummingbird

extension Parser {
    /// The most of one field, and of all, that a hub's connections take.
    private static let field = 8 << 10
    static let fields = 32 << 10

    static func request(_ name: HTTPField.Name, _ value: String) -> Request {
        var fields = HTTPFields()
        fields.append(HTTPField(name: name, value: value))
        return Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/", headerFields: fields),
            body: RequestBody(buffer: .init()))
    }

    static func target(_ text: String) -> Request {
        Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: text),
            body: RequestBody(buffer: .init()))
    }

    private static func claim(_ headers: HTTPHeaders, of body: [UInt8] = []) {
        guard let address = WebAddress("https://hub.example/inbox?a=1&b=2") else { return }
        _ = try? SignatureClaim(of: IncomingRequest(method: "GET", address: address, headers: headers, body: body))
    }

    private static let structured: [WorstShape] = [
        WorstShape("a=:YQ==:,", to: "b=:YQ==:"), WorstShape("a=(),", to: "b=()"),
        WorstShape("\"a\" ", from: "a=(", to: ")"), WorstShape("\"x\";key=\"a\" ", from: "a=(", to: ")"),
        WorstShape("names that differ", to: "z=1", unit: { "n\($0)=1," }),
        WorstShape("lists that differ", to: "z=()", unit: { "n\($0)=(\"@method\" \"@path\")," }),
        WorstShape("parameters that differ", from: "a=()", unit: { ";n\($0)" }),
        WorstShape("members that differ", from: "a=(", to: ")", unit: { "\"x\";key=\"n\($0)\" " }),
        WorstShape("sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:,", to: "a=1"),
    ]

    private static let members = WorstShape(
        "a", from: (0..<8).map { "n\($0)=1, " }.joined() + "z=\"", to: "\"")

    private static let digest = ContentDigest.oldField(of: [UInt8](repeating: 7, count: 1 << 20))

    static let heads: [Parser] = [
        .text("signature, RFC 9421", limit: field, structured) {
            claim(["Signature-Input": $0, "Signature": $0, "Content-Digest": $0, "X": $0])
        },
        .text("signature that names members", limit: field, structured + [members]) { text in
            let members = (0..<8).map { "\"x\";key=\"n\($0)\"" }.joined(separator: " ")
            claim([
                "Signature-Input": "a=(\"@method\" \"@target-uri\" \(members));created=1;keyid=\"https://a.example/k\"",
                "Signature": "a=:YQ==:", "X": text,
            ])
        },
        .text(
            "signature of before", limit: field,
            [
                WorstShape("a=\"b\","), WorstShape("names that differ", unit: { "n\($0)=\"1\"," }),
                WorstShape("a ", from: "headers=\"", to: "\""),
                WorstShape("names that differ", from: "headers=\"") { "\($0) " },
            ]
        ) { claim(["Signature": $0, "Digest": $0]) },
        Parser("digest of a long body", limit: field, [WorstShape("\(digest),", to: digest)]) { text in
            let body = [UInt8](repeating: 7, count: 1 << 20)
            try? ContentDigest.check(oldField: String(decoding: text, as: UTF8.self), of: body)
        },
        .text("cookies", limit: fields, [WorstShape("a=b; "), WorstShape(" ", from: "visit=")]) {
            _ = HostCookie("visit", isSecure: false).value(in: request(.cookie, $0))
        },
        .text("languages", limit: fields, [WorstShape("de;q=0.1,"), WorstShape(";q=1", from: "de")]) {
            _ = Language(accepting: $0)
        },
        .text("ranges", limit: fields, [WorstShape("0-1,", from: "bytes="), WorstShape("9", from: "bytes=")]) {
            _ = (ByteRange($0, size: 1000), ContentRange($0), ConfirmedRange.bytes($0))
        },
        .text("validators", limit: fields, [WorstShape("\"a\", "), WorstShape("W/\"a\",")]) {
            _ = Validators(sha256: "a", modified: Date(timeIntervalSince1970: 0))
                .isKnown(to: request(.ifNoneMatch, $0))
        },
        .text("accepted types", limit: fields, [WorstShape("text/html;q=0.1,"), WorstShape(";a=b", from: "text/html")])
        {
            _ = (MediaType.wantsActivity($0), MediaType.isActivity($0))
        },
        .text("proxies", limit: fields, [WorstShape("127.0.0.1, "), WorstShape("[::1]:1,"), WorstShape("[")]) { text in
            guard let block = AddressBlock("127.0.0.0/8") else { return }
            _ = TrustedProxies([block]).visitor(peer: "127.0.0.1", forwarded: [text])
        },
        .text("metadata of uploads", limit: fields, [WorstShape("a YQ==,"), WorstShape("n", unit: { "n\($0) YQ==," })])
        {
            _ = TusMetadata($0)
        },
        .text(
            // As long as the first line of a request and the fields around it may be.
            "addresses", limit: fields / 4,
            [
                WorstShape("a", from: "https://a.example/"), WorstShape("../", from: "https://a.example/"),
                WorstShape("1.", from: "http://"), WorstShape(":", from: "http://["),
            ]
        ) { text in
            guard let base = WebAddress("https://a.example/b/c") else { return }
            _ = (base.resolving(text), WebAddress(text)?.hasDotSegments, ObjectID(text))
        },
        .text("dates", limit: fields) { _ = (HTTPDate.parse($0), InstantText.parse($0)) },
        .text("Base64 and percent signs", [WorstShape("_-")]) {
            _ = (Base64URL.decode($0), PercentEncoding.decode($0, plusIsSpace: true), PercentEncoding.encode($0))
        },
    ]
}
