import ChirpCore
import ChirpHTTP
import FoundationEssentials
import Testing

struct HTTPValuesTests {
    @Test func `header names compare without case and values cannot break lines`() {
        var headers: HTTPHeaders = ["Content-Type": "a/b"]
        headers.append("1\r\nEvil: yes", for: "X")
        #expect(headers["content-type"] == "a/b")
        #expect(headers["x"] == "1  Evil: yes")
        headers["CONTENT-TYPE"] = "c/d"
        #expect(headers.fields.count == 2)
    }

    @Test(
        arguments: [
            ("bytes 0-99/1234", 0, 99, 1234), ("bytes 5-5/*", 5, 5, nil),
        ] as [(String, Int64, Int64, Int64?)])
    func `a content range is read`(_ text: String, first: Int64, last: Int64, total: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect((range.first, range.last) == (first, last))
        #expect(range.total == total)
    }

    @Test(arguments: ["bytes 9-5/20", "bytes 0-99/50", "items 0-1/2", "bytes */5", "", "bytes -5-9/20"])
    func `a wrong content range is refused`(_ text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test(
        arguments: [
            (["Retry-After": "7"], 503, 7), (["Retry-After": "Sat, 21 Nov 2026 09:30:10 GMT"], 503, 10),
            (["Retry-After": "Sat, 21 Nov 2026 09:29:00 GMT"], 503, 0),
            (["Retry-After": "99999999999"], 503, 31 * 86_400),
            (["x-rate-limit-reset": "1795253430"], 429, 30), (["X-RateLimit-Reset": "2026-11-21T09:30:05.5Z"], 429, 6),
            (["x-rate-limit-reset": "1795253430"], 200, nil), (["Retry-After": "soon"], 503, nil), ([:], 429, nil),
        ] as [([String: String], Int, Int?)])
    func `the time a service asks for is read in every form`(_ fields: [String: String], status: Int, seconds: Int?) {
        var headers = HTTPHeaders()
        for (name, value) in fields { headers[name] = value }
        let now = Date(timeIntervalSince1970: 1_795_253_400)  // 2026-11-21 09:30:00 UTC
        #expect(HTTPResponse(status: status, headers: headers).retryAfter(now: now) == seconds.map { .seconds($0) })
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("06 Nov 1994", nil),
        ] as [(String, Int?)])
    func `an HTTP date is read`(_ text: String, seconds: Int?) {
        #expect(HTTPDate.parse(text)?.timeIntervalSince1970 == seconds.map(Double.init))
    }

    @Test func `JSON is only what says that it is`() {
        struct Answer: Decodable { let id: String }
        let body = Array(#"{"id":"1"}"#.utf8)
        let json = HTTPResponse(
            status: 200, headers: ["Content-Type": "application/problem+json; charset=utf-8"], body: body)
        #expect(json.json(Answer.self)?.id == "1")
        #expect(HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: body).json(Answer.self) == nil)
        #expect(HTTPResponse(status: 200, body: body).json(Answer.self) == nil)
    }

    @Test func `a request shows nothing that may be secret`() throws {
        let request = HTTPRequest(
            .put, try #require(WebAddress("https://h/upload?upload_id=SECRET")),
            headers: ["Authorization": "Bearer SECRET"],
            body: .text("SECRET"))
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped, "\(request.address)"] {
            #expect(!text.contains("SECRET"))
        }
    }

    @Test(arguments: [
        ("8.8.8.8", true), ("10.0.0.1", false), ("172.16.0.1", false), ("172.32.0.1", true), ("192.168.1.1", false),
        ("169.254.169.254", false), ("127.0.0.1", false), ("100.64.0.1", false), ("0.0.0.0", false),
        ("255.255.255.255", false),
        ("224.0.0.1", false), ("192.0.2.1", false),
    ])
    func `private IPv4 addresses are told from public ones`(_ text: String, expected: Bool) {
        let bytes = text.split(separator: ".").compactMap { UInt8($0) }
        #expect(PublicAddress.isPublic(bytes) == expected)
        // The same inside IPv6: mapped, NAT64, 6to4.
        #expect(PublicAddress.isPublic(Array(repeating: 0, count: 10) + [0xFF, 0xFF] + bytes) == expected)
        #expect(PublicAddress.isPublic([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] + bytes) == expected)
        #expect(PublicAddress.isPublic([0x20, 0x02] + bytes + Array(repeating: 0, count: 10)) == expected)
    }

    @Test func `only global IPv6 addresses are public`() {
        func address(_ head: UInt8...) -> [UInt8] { head + Array(repeating: 1, count: 16 - head.count) }
        #expect(PublicAddress.isPublic(address(0x2A, 0x00)))
        #expect(!PublicAddress.isPublic(Array(repeating: 0, count: 15) + [1]))
        #expect(!PublicAddress.isPublic(address(0xFE, 0x80)))
        #expect(!PublicAddress.isPublic(address(0xFD)))
        #expect(!PublicAddress.isPublic(address(0x20, 0x01, 0x0D, 0xB8)))
        #expect(!PublicAddress.isPublic([]))
    }
}
