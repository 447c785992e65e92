import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// A request is for one host, or for none (RFC 9112, section 3.2).
@Suite struct HostFieldTests {
    /// The answer's first line to a request of these lines.
    private func status(_ port: Int, _ lines: [String]) async throws -> String? {
        let text = (lines + ["Connection: close", "", ""]).joined(separator: "\r\n")
        return await OpenAnswer(port: port, request: text)?.lines { _ in true }?.first
    }

    @Test func `two hosts, an invalid one or none are refused`() async throws {
        try await withLiveHub(try HubHousehold()) { port in
            for lines in [
                ["GET /health HTTP/1.1"],
                ["GET /health HTTP/1.1", "Host: hub.example", "Host: other.example"],
                ["GET /health HTTP/1.1", "Host: hub.example", "hOST: hub.example"],
                ["GET /health HTTP/1.0", "Host: hub.example", "Host: other.example"],
                ["GET /health HTTP/1.1", "Host: "], ["GET /health HTTP/1.1", "Host: a b"],
                ["GET /health HTTP/1.1", "Host: a@hub.example"], ["GET /health HTTP/1.1", "Host: hub.example/health"],
                ["GET /health HTTP/1.1", "Host: hub.example, other.example"],
                ["GET http://other.example/health HTTP/1.1", "Host: hub.example"],
                ["GET http://hub.example:81/health HTTP/1.1", "Host: hub.example"],
                ["GET https://a@hub.example/health HTTP/1.1", "Host: hub.example"],
                ["GET http://hub.example/health HTTP/1.1"],
                ["GET ftp://hub.example/health HTTP/1.1", "Host: hub.example"],
            ] {
                let first = try await status(port, lines)
                #expect(first == "HTTP/1.1 400 Bad Request", "\(lines)")
            }
            // These the parser of HTTP may have ended before.
            for line in ["GET http:///health HTTP/1.1", "GET hub.example:80 HTTP/1.1"] {
                let first = try await status(port, [line, "Host: hub.example"])
                #expect(first == nil || first == "HTTP/1.1 400 Bad Request", "\(line)")
            }
        }
    }

    @Test func `one host is served, however the first line has it`() async throws {
        try await withLiveHub(try HubHousehold()) { port in
            for lines in [
                ["GET /health HTTP/1.1", "Host: hub.example"], ["GET /health HTTP/1.1", "Host: hub.example:\(port)"],
                ["GET /health HTTP/1.1", "Host: [::1]:4747"], ["GET /health HTTP/1.0"],
                ["GET http://HUB.example/health HTTP/1.1", "Host: hub.example"],
                ["GET http://hub.example:80/health HTTP/1.1", "Host: hub.example"],
                ["GET https://hub.example/health HTTP/1.1", "Host: hub.example:443"],
                ["GET http://hub.example/health HTTP/1.0"],
            ] {
                let first = try await status(port, lines)
                #expect(first == "HTTP/1.1 200 OK" || first == "HTTP/1.0 200 OK", "\(lines): \(first ?? "")")
            }
        }
    }

    @Test func `a request that is refused for its host does not come before the answer to the one before it`()
        async throws
    {
        try await withLiveHub(try HubHousehold()) { port in
            let good = "GET /health HTTP/1.1\r\nHost: hub.example\r\n\r\n"
            let bad = "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n"
            let answer = try #require(OpenAnswer(port: port, request: good + bad))
            let text = String(decoding: try #require(await answer.rest()), as: UTF8.self)
            let statuses = text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(statuses == ["200", "400"])
        }
    }

    @Test func `a host beside HTTP 2's authority is the same one`() async throws {
        let house = try HubHousehold()
        let name = try #require(HTTPField.Name("Host"))
        let application = try house.application()
        for (host, expected) in [("localhost", 200), ("LOCALHOST", 200), ("other.example", 400)] {
            let fields = HTTPFields([HTTPField(name: name, value: host)])
            let status = try await application.application().test(.router) { client in
                try await client.execute(uri: "/health", method: .get, headers: fields) { $0.status.code }
            }
            #expect(status == expected, "\(host)")
        }
    }
}
