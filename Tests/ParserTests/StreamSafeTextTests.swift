import ChirpCore
import Foundation
import Testing

/// Runs of combining marks, which cost the square of their length when texts are compared.
@Suite struct StreamSafeTextTests {
    private static let marks = String(repeating: "\u{301}\u{323}", count: 30_000)

    @Test(arguments: ["", "a", "München", "e\u{301}", "क्षि", "🏴\u{E0067}\u{E0062}\u{E007F}", "\u{301}\u{323}"])
    func `what people write stays as it is`(text: String) {
        #expect(StreamSafeText.cut(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test func `thirty marks behind a letter stay, and no more, wherever they are`() {
        for before in ["", "a", "ab\u{301}c"] {
            let text = StreamSafeText.cut("\(before)\(Self.marks)z\(Self.marks)")
            #expect(
                text.unicodeScalars.count <= before.unicodeScalars.count + 61 && text.unicodeScalars.last == "\u{323}")
            #expect(text.unicodeScalars.contains("z"))
        }
    }

    @Test func `a field of a form, a query and plain text have no more either`() throws {
        let fields = try PercentEncoding.fields(ofForm: "a\(Self.marks)=b\(Self.marks)".utf8)
        #expect(fields[0].name.utf8.count < 70 && fields[0].value.utf8.count < 70)
        #expect(PercentEncoding.decode(Self.marks).utf8.count < 70)
        #expect(PlainText("a\(Self.marks)").value.utf8.count < 70)
        #expect(PlainText.lines("a\(Self.marks)\nb").utf8.count < 70)
    }

    @Test(arguments: [
        #"{"a\(MARKS)":1}"#, #"{"a":"\(MARKS)"}"#, #"{"a\(ESCAPES)":1}"#, #"[["x\(ESCAPES)"]]"#, #"{"a\(PAIRS)":1}"#,
    ])
    func `JSON with a longer run is refused before it is decoded, as marks or as escapes`(shape: String) {
        let text = shape.replacing(#"\(MARKS)"#, with: Self.marks)
            .replacing(#"\(ESCAPES)"#, with: String(repeating: "\\u0301\\u0323", count: 40))
            // Marks of music lie beyond 16 bits.
            .replacing(#"\(PAIRS)"#, with: String(repeating: #"\uD834\uDD65\uD834\uDD6D"#, count: 40))
        #expect(throws: UntrustedJSON.Fault.notJSON) { try UntrustedJSON.value(of: Array(text.utf8), .statement) }
        #expect(throws: UntrustedJSON.Fault.notJSON) {
            try UntrustedJSON.decode([String: Int].self, from: Array(text.utf8), .statement)
        }
    }

    @Test func `JSON as people write it is read`() throws {
        for text in [#"{"e\u0301":"\\u0301"}"#, #"["\\\\u0301\u0323 \"x\" \ud83d\ude00"]"#, "[\"M\u{308}\"]"] {
            _ = try UntrustedJSON.value(of: Array(text.utf8), .statement)
        }
    }
}
