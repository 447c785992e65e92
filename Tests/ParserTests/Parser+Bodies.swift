import ChirpCommunity
import ChirpCore
import ChirpFederation
import ChirpHTTP
import ChirpNetworks
import ChirpOAuth
import ChirpOrders
import ChirpStores
import ChirpWeb
import FoundationEssentials
import NIOCore

extension Parser {
    static let all = bodies + heads + texts + internals

    static let json: [WorstShape] = [
        WorstShape("[", to: String(repeating: "]", count: 8000)),
        WorstShape("[[[[[[[[]]]]]]]],", from: "[", to: "1]"),
        WorstShape("{},", from: "[", to: "{}]"),
        WorstShape("[],", from: "{\"a\":[", to: "1]}"),
        WorstShape("1,", from: "{\"a\":[", to: "1]}"),
        WorstShape("null,", from: "[", to: "null]"),
        WorstShape("true,", from: "[", to: "true]"),
        WorstShape("\"\",", from: "[", to: "\"\"]"),
        WorstShape("{\"a\":", from: "{\"a\":", to: "1"),
        WorstShape("\\u0041", from: "{\"a\":\"", to: "\"}"),
        WorstShape("\\ud83d\\ude00", from: "{\"a\":\"", to: "\"}"),
        WorstShape("\\", from: "{\"a\":\"", to: "\"}"),
        WorstShape("a", from: "{\"a\":\"", to: "\"}"),
        WorstShape("a", from: "{\"", to: "\":1}"),
        WorstShape("7", from: "{\"a\":", to: "}"),
        WorstShape("0", from: "{\"a\":1e", to: "}"),
        WorstShape("1e999,", from: "[", to: "1]"),
        WorstShape("\"a\":1,", from: "{", to: "\"a\":1}"),
        WorstShape("names that differ", from: "{", to: "\"a\":1}", unit: { "\"n\($0)\":1," }),
        // Marks of two classes in turn, which a normal form sorts: as a name, as a text, and as escapes of them.
        WorstShape("\u{301}\u{323}", from: "{\"a", to: "\":1}"),
        WorstShape("\u{301}\u{323}", from: "{\"a\":\"a", to: "\"}"),
        WorstShape("\\u0301\\u0323", from: "{\"a", to: "\":1}"),
        WorstShape("a long name around many", from: "{\"\(String(repeating: "n", count: 4000))\":{", to: "\"a\":1}}") {
            "\"\($0)\":1,"
        },
    ]

    static let keys = [
        WorstShape("{},", from: "{\"keys\":[", to: "{}]}"),
        WorstShape("{\"kty\":\"RSA\",\"n\":\"\"},", from: "{\"keys\":[", to: "{}]}"),
    ]

    private static let forms: [WorstShape] = [
        WorstShape("a&"), WorstShape("=&"), WorstShape("a=b&"), WorstShape("a[]=1&"), WorstShape("%00=%00&"),
        WorstShape("names that differ", unit: { "\($0)=&" }),
        WorstShape("\u{301}\u{323}", from: "a"), WorstShape("%CC%81%CC%A3", from: "a", to: "=1"),
        WorstShape("%CC%81%CC%A3", from: "a=a"),
    ]

    private static let part = "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n"
    private static let multipart: [WorstShape] = [
        WorstShape("\r", from: part, to: "\r\n--b--"), WorstShape("\r\n", from: part, to: "\r\n--b--"),
        WorstShape("\r\n-", from: part, to: "\r\n--b--"), WorstShape("\r\n--", from: part, to: "\r\n--b--"),
        WorstShape("a", from: part), WorstShape(part + "a\r\n", to: "--b--"), WorstShape("--b\r\n", from: ""),
        WorstShape("a", from: "--b\r\n"), WorstShape("\r\n\r", from: "--b\r\n"),
        WorstShape("a: b\r\n", from: "--b\r\n", to: "\r\n"),
        WorstShape(";a=", from: "--b\r\nContent-Disposition: form-data", to: "\r\n\r\na\r\n--b--"),
        WorstShape("\\\"", from: "--b\r\nContent-Disposition: form-data; name=\"", to: "\"\r\n\r\na\r\n--b--"),
    ]

    private static let xml: [WorstShape] = [
        WorstShape("<a>"), WorstShape("<a/>", from: "<a>", to: "</a>"),
        WorstShape("<a b=''/>", from: "<a>", to: "</a>"),
        WorstShape(" ", from: "<a", to: "/>"), WorstShape(" b='c'", from: "<a", to: "/>"),
        WorstShape("&amp;", from: "<a>", to: "</a>"), WorstShape("&#x41;", from: "<a>", to: "</a>"),
        WorstShape("&", from: "<a>", to: "</a>"), WorstShape("&a", from: "<a>", to: "</a>"),
        WorstShape("-", from: "<!--", to: "--><a/>"), WorstShape("]", from: "<a><![CDATA[", to: "]]></a>"),
        WorstShape("<![CDATA[]]>", from: "<a>", to: "</a>"), WorstShape("<!-- -->", from: "<a>", to: "</a>"),
        WorstShape("?", from: "<?", to: "?><a/>"), WorstShape("a:", from: "<", to: "/>"),
        WorstShape("many namespaces at every depth", from: "") { depth in
            depth < 60
                ? "<a" + (0..<60).map { " xmlns:n\(depth)-\($0)=''" }.joined() + ">" : "<a xmlns:m=''/>"
        },
        WorstShape("a few namespaces at every depth") { depth in
            depth < 60 ? "<a xmlns:n\(depth)=''>" : "<a xmlns:m=''/>"
        },
    ]

    private static let events: [WorstShape] = [
        WorstShape("data:\n"), WorstShape("data: a\n", to: "\n"), WorstShape("data: a\n\n"), WorstShape(":\n"),
        WorstShape("id: 1\n"), WorstShape("\n\n"), WorstShape("a", from: "data:"),
    ]

    static func answer(_ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: bytes)
    }

    private static let bodies: [Parser] = [
        Parser("JSON of a call", json) { _ = try? RequestFields(json: $0) },
        Parser("JSON of a federated server", limit: 1 << 20, json) { _ = try? IncomingActivity(reading: $0) },
        Parser("JSON of a network, names", json) { _ = answer($0).json([String: String].self) },
        Parser("JSON without a type", limit: 1 << 20, json) { _ = try? UntrustedJSON.value(of: $0, .answer) },
        Parser("form", forms) { _ = try? Form($0) },
        Parser("fields of a query", forms) {
            _ = RequestFields(PercentEncoding.fields(of: String(decoding: $0, as: UTF8.self)))
        },
        Parser("form with files", limit: 1 << 20, multipart) {
            guard var reader = try? MultipartReader(contentType: "multipart/form-data; boundary=b", mostParts: 100)
            else { return }
            _ = try? reader.read(ByteBuffer(bytes: $0))
        },
        Parser("form with files in pieces", limit: 1 << 20, multipart) { bytes in
            guard var reader = try? MultipartReader(contentType: "multipart/form-data; boundary=b") else { return }
            for start in stride(from: 0, to: bytes.count, by: 64) {
                let piece = ByteBuffer(bytes: bytes[start..<min(start + 64, bytes.count)])
                guard (try? reader.read(piece)) != nil else { return }
            }
            try? reader.end()
        },
        Parser("XML", limit: 1 << 20, xml) { bytes in
            var reader = XMLReader(bytes)
            while case .some(.some) = try? reader.next() {}
        },
        Parser("event stream", limit: 1 << 20, events) { bytes in
            var events = ServerSentEvents(host: "a.example")
            _ = try? events.take(bytes)
        },
    ]
}
