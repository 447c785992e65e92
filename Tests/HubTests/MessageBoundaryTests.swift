import Foundation
import HubHousehold
import Testing

/// Where a request ends is never in doubt, so that a server in front and this one see the same requests (RFC 9112, section 6.3; request
/// smuggling).
@Suite struct MessageBoundaryTests {
    /// The statuses of the answers to a form with these lines in its head, and to a request behind it.
    private func statuses(_ port: Int, _ lines: [String], _ body: String) async throws -> [String] {
        let head = ["POST /signin HTTP/1.1", "Host: hub.example"] + lines + ["", body]
        let next = "GET /health HTTP/1.1\r\nHost: hub.example\r\nConnection: close\r\n\r\n"
        let answer = try #require(OpenAnswer(port: port, request: head.joined(separator: "\r\n") + next))
        let text = String(decoding: try #require(await answer.rest()), as: UTF8.self)
        return text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
    }

    @Test func `a message whose end is in doubt is refused, and nothing behind it is answered`() async throws {
        let chunks = "0\r\n\r\n"
        let doubtful: [(lines: [String], body: String)] = [
            (["Content-Length: 5", "Transfer-Encoding: chunked"], chunks),
            (["Transfer-Encoding: chunked", "Content-Length: 5"], chunks),
            (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], chunks),
            (["Transfer-Encoding: chunked, identity"], chunks), (["Transfer-Encoding: xchunked"], chunks),
            (["Transfer-Encoding: identity"], chunks), (["Transfer-Encoding: chunked"], "zz\r\n\r\n"),
            (["Content-Length: 5", "Content-Length: 6"], "abcdef"), (["Content-Length: 5, 6"], "abcdef"),
            (["Content-Length: +5"], "abcdef"), (["Content-Length: 5 5"], "abcdef"),
            (["Content-Length : 5"], "abcdef"), ([" Content-Length: 5"], "abcdef"),
            (["Content-Length: 18446744073709551617"], "abcdef"),
        ]
        try await withLiveHub(try HubHousehold()) { port in
            for (lines, body) in doubtful {
                // The answer may be lost when the connection is closed over bytes that nobody read.
                let answers = try await statuses(port, lines, body)
                #expect(answers.isEmpty || answers == ["400"] || answers == ["413"], "\(lines): \(answers)")
            }
            // Where it is in none the next one is answered.
            #expect(try await statuses(port, ["Content-Length: 5"], "abcde") == ["415", "200"])
        }
    }
}
