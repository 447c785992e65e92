import ChirpTestKit
import ChirpWeb
import Foundation
import Hummingbird
import NIOCore
import Testing

@Suite struct PackedBytesTests {
    @Test func `text is packed, and what unpacks it elsewhere finds the same`() throws {
        let text = Array(String(repeating: "M10 20l3 4-1 2z", count: 2000).utf8)
        let packed = try #require(Gzip.packed(text))
        #expect(packed.count < text.count / 10)
        #expect(try ExternalProgram("gzip").run(["-dc"], input: packed).output == text)
    }

    @Test func `what gets no smaller is left as it is`() {
        var random = SeededGenerator(seed: 3)
        #expect(Gzip.packed((0..<4096).map { _ in UInt8.random(in: .min ... .max, using: &random) }) == nil)
        #expect(Gzip.packed([]) == nil)
        #expect(Gzip.packed([1]) == nil)
    }

    @Test(arguments: [
        (nil, false), ("gzip", true), ("deflate, GZIP", true), ("br;q=1.0, gzip;q=0.5", true), ("gzip; q=0", false),
        ("gzip;q=0.000, br", false), ("x-gzip", false), ("", false),
    ])
    func `only who takes it gets it packed, and keepers between are told`(accepted: String?, isPacked: Bool) {
        var headers: HTTPFields = [:]
        if let accepted { headers[.acceptEncoding] = accepted }
        let request = Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "hub", path: "/", headerFields: headers),
            body: RequestBody(buffer: ByteBuffer()))
        let content = PackedBytes(Array(String(repeating: "a { color: red }", count: 100).utf8))
        let answer = content.answer(to: request, [.contentType: "text/css"])
        #expect(answer.headers[.contentEncoding] == (isPacked ? "gzip" : nil))
        #expect(answer.headers[.vary] == "Accept-Encoding")
        #expect(answer.headers[.contentType] == "text/css")
        #expect(answer.body.contentLength == (isPacked ? content.packed?.count : content.bytes.count))
    }
}
