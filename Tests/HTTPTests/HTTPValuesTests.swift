import ChirpCore
import ChirpHTTP
import ChirpTestKit
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
            (["Retry-After": String(repeating: "9", count: 300)], 503, 31 * 86_400),
            (["Retry-After": String(repeating: "9", count: 900)], 503, nil), (["Retry-After": "-1"], 503, nil),
            (["Retry-After": "1e300"], 503, nil), (["Retry-After": "NaN"], 503, nil),
            (["x-rate-limit-reset": "9223372036854775807"], 429, 31 * 86_400),
            (["x-rate-limit-reset": "-9223372036854775808"], 429, 0),
            (["X-RateLimit-Reset": "9999-12-31T23:59:59Z"], 429, 31 * 86_400),
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
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Fri, 31 Dec 10000 23:59:59 GMT", nil),
            ("Sun, 99999999999999999999 Nov 1994 08:49:37 GMT", nil), ("Sun, -6 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov -9223372036854775808 08:49:37 GMT", nil),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("06 Nov 1994", nil),
        ] as [(String, Int?)])
    func `an HTTP date is read, and written the same`(_ text: String, seconds: Int?) {
        let date = HTTPDate.parse(text)
        #expect(date?.timeIntervalSince1970 == seconds.map(Double.init))
        if let date { #expect(HTTPDate.text(date) == text) }
    }

    @Test(
        arguments: [
            ("2026-11-21T09:30:00Z", 1_795_253_400), ("2026-11-21T09:30:00.250Z", 1_795_253_400.25),
            ("2026-11-21t09:30:00z", 1_795_253_400), ("2026-11-21T10:30:00+01:00", 1_795_253_400),
            ("2026-11-21T06:00:00-0330", 1_795_253_400), ("2000-02-29T00:00:00Z", 951_782_400),
            ("1969-12-31T23:59:59Z", -1), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("2026-11-21T09:30:00", nil), ("2026-11-21", nil), ("", nil),
            ("2026-13-21T09:30:00Z", nil), ("2026-11-21T24:30:00Z", nil), ("0000-01-01T00:00:00Z", nil),
            ("99999-01-01T00:00:00Z", nil), ("292277026596-12-04T15:30:08Z", nil), ("2026-11-21T09:30:00.Z", nil),
            ("2026-11-21T09:30:00+99:00", nil), ("-026-11-21T09:30:00Z", nil), ("2026-1\u{301}-21T09:30:00Z", nil),
        ] as [(String, Double?)])
    func `an instant is read by its digits alone`(_ text: String, seconds: Double?) {
        #expect(InstantText.parse(text)?.timeIntervalSince1970 == seconds)
    }

    @Test func `an instant and its text are the same, whatever the clock says`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let seconds = Double(Int64.random(in: Date.boundedSeconds, using: &random))
            let text = InstantText.format(Date(timeIntervalSince1970: seconds + 0.75))
            #expect(InstantText.parse(text)?.timeIntervalSince1970 == seconds)
        }
        for (seconds, text) in [
            (1e300, "9999-12-31T23:59:59Z"), (.infinity, "9999-12-31T23:59:59Z"), (-1e300, "0001-01-01T00:00:00Z"),
            (9.2e18, "9999-12-31T23:59:59Z"), (.nan, "1970-01-01T00:00:00Z"), (-0.5, "1969-12-31T23:59:59Z"),
        ] {
            #expect(InstantText.format(Date(timeIntervalSince1970: seconds)) == text)
            #expect(Date.boundedSeconds.contains(Date(timeIntervalSince1970: seconds).bounded.wholeSeconds))
        }
        for seconds in [0, -0.25, 1_795_253_400.125, 253_402_300_799, -62_135_596_800] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(date.bounded == date)
        }
        #expect(Duration.bounded(seconds: .nan) == .zero && Duration.bounded(seconds: 1.5) == .milliseconds(1500))
        #expect(Duration.bounded(seconds: .infinity) > .seconds(300_000_000_000))
        #expect(Duration.bounded(seconds: -1e300) < .seconds(-300_000_000_000))
    }

    /// libcurl asks for each address that it is about to try; what is tried second must not undo what the first has brought.
    @Test(
        arguments: [
            (["8.8.8.8", "10.0.0.1"], [true, false], false), (["10.0.0.1", "8.8.8.8"], [false, true], false),
            (["10.0.0.1"], [false], true), (["10.0.0.1", "127.0.0.1"], [false, false], true), ([], [], false),
            (["8.8.8.8"], [true], false),
        ] as [([String], [Bool], Bool)])
    func `a name leads to a private place when no other address was to be had`(
        addresses: [String], admitted: [Bool], isPrivate: Bool
    ) {
        var gate = AddressGate(onlyPublic: true)
        let answers = addresses.map { gate.admits($0.split(separator: ".").compactMap { UInt8($0) }) }
        #expect(answers == admitted && gate.hasRefusedAll == isPrivate)
        var open = AddressGate(onlyPublic: false)
        let all = addresses.map { open.admits($0.split(separator: ".").compactMap { UInt8($0) }) }
        #expect(all.allSatisfy { $0 } && !open.hasRefusedAll)
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

    @Test(
        arguments: [[127, 0, 0, 1], [10, 0, 0, 1], [169, 254, 169, 254], [192, 168, 1, 1], [0, 0, 0, 0]] as [[UInt8]])
    func `a private IPv4 address is private in every form that IPv6 has for it`(bytes: [UInt8]) {
        func padded(_ head: [UInt8]) -> [UInt8] { head + Array(repeating: 0, count: 12 - head.count) + bytes }
        for head in [
            [], [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],  // compatible (RFC 4291, 2.5.5.1), translated (RFC 2765)
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], [0x00, 0x64, 0xFF, 0x9B],  // mapped, NAT64
            [0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01],  // NAT64 of a network's own (RFC 8215)
            [0x20, 0x01, 0, 0], [0xFE, 0x80], [0xFC], [0xFF, 0x02],  // Teredo, link-local, unique local, multicast
        ] as [[UInt8]] {
            #expect(!PublicAddress.isPublic(padded(head)), "\(head)")
        }
        #expect(!PublicAddress.isPublic([0x20, 0x02] + bytes + Array(repeating: 0, count: 10)))
        #expect(!PublicAddress.isPublic(Array(repeating: 0, count: 16)))
    }
}
