import ChirpCore
import ChirpTestKit
import Foundation
import Testing

/// What is JSON, and how much of it is taken.
@Suite struct UntrustedJSONTests {
    private static let wide = UntrustedJSON.Limits(bytes: 1 << 20, depth: 100, values: 100_000)

    private func value(_ text: String, _ limits: UntrustedJSON.Limits = wide) throws -> ParsedJSON {
        try UntrustedJSON.value(of: Array(text.utf8), limits)
    }

    @Test(arguments: [
        ("null", ParsedJSON.null), (" true ", .bool(true)), ("false", .bool(false)), ("-0.5e+3", .number("-0.5e+3")),
        ("0", .number("0")), ("\"\"", .text("")), (#""\"\\\/\b\f\n\r\t""#, .text("\"\\/\u{8}\u{C}\n\r\t")),
        (#""\u00e4\uD83D\uDE00""#, .text("ä😀")), ("[]", .list([])), ("[1 , [ ]]", .list([.number("1"), .list([])])),
        ("{}", .object([:])), (#"{"a":1,"b":{"c":null}}"#, .object(["a": .number("1"), "b": .object(["c": .null])])),
        (#"{"a":1,"a":2}"#, .object(["a": .number("2")])), ("\u{FEFF}1", .number("1")), ("\r\n\t 1\n", .number("1")),
    ]) func `JSON is read as it is written`(text: String, expected: ParsedJSON) throws {
        #expect(try value(text) == expected)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity", "\"",
        "\"\\\"",
        "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\uD83D\"", "\"\\uD83Da\"", "\"\\uD83D\\u0041\"", "\"\\uDE00\"",
        "\"\n\"", "\"\0\"", "'a'", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", "{\"a\"", "{\"a\":", "{\"a\":1",
        "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{,}", "1 1", "[]]", "[]}", "/**/1", "1//", "\u{B}1", "\u{A0}1",
    ]) func `nothing else is read`(text: String) {
        #expect(throws: UntrustedJSON.Fault.notJSON) { try value(text) }
    }

    @Test func `bytes that are no UTF-8 are no JSON`() {
        for bytes: [UInt8] in [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFF, 0xFE],
        ] {
            #expect(throws: UntrustedJSON.Fault.notJSON) { try UntrustedJSON.value(of: bytes, Self.wide) }
        }
    }

    @Test func `depth, number and size are bounded exactly`() throws {
        let limits = UntrustedJSON.Limits(bytes: 40, depth: 3, values: 6)
        #expect(throws: Never.self) { try value("[[[1]]]", limits) }
        #expect(throws: UntrustedJSON.Fault.tooDeep(limit: 3)) { try value("[[[[1]]]]", limits) }
        #expect(throws: UntrustedJSON.Fault.tooDeep(limit: 3)) { try value("{\"a\":[{\"b\":[", limits) }
        #expect(throws: Never.self) { try value("[1,2,3,4,5]", limits) }
        #expect(throws: UntrustedJSON.Fault.tooMany(limit: 6)) { try value("[1,2,3,4,5,6]", limits) }
        #expect(throws: UntrustedJSON.Fault.tooLarge(limit: 40)) {
            try value(String(repeating: " ", count: 41), limits)
        }
        // What stands in a text counts for nothing.
        #expect(throws: Never.self) { try value(#""[[[[[[[[,,,,,,,,\"[[[[""#, limits) }
    }

    @Test func `a type is read within the same limits`() throws {
        let limits = UntrustedJSON.Limits(bytes: 100, depth: 2, values: 4)
        #expect(try UntrustedJSON.decode([Int].self, from: Array("[1,2,3]".utf8), limits) == [1, 2, 3])
        #expect(throws: UntrustedJSON.Fault.tooMany(limit: 4)) {
            try UntrustedJSON.decode([Int].self, from: Array("[1,2,3,4]".utf8), limits)
        }
        #expect(throws: UntrustedJSON.Fault.tooDeep(limit: 2)) {
            try UntrustedJSON.decode([[[Int]]].self, from: Array("[[[1]]]".utf8), limits)
        }
        #expect(throws: UntrustedJSON.Fault.notJSON) {
            try UntrustedJSON.decode([Int].self, from: Array("[\"a\"]".utf8), limits)
        }
    }

    @Test func `what Foundation reads is read alike, with changes of a byte here and there`() throws {
        let seed = Array(
            #"{"a":[1,-2.5e3,true,null,"x\u00e4\n"],"b":{"c":{},"d":[[],[0]]},"é":"\uD83D\uDE00","e":1E2}"#.utf8)
        var random = SeededGenerator(seed: 6)
        for _ in 0..<3000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = Array("[]{},:\"\\0e-. u".utf8).randomElement(using: &random) ?? 0
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
                }
            }
            // Foundation takes a comma before the end of a list, and of two members of a name the first: neither is read so here. Of
            // zeros with an exponent it refuses some, by their length (findings/json-zero-with-exponent.sh).
            let text = String(decoding: bytes, as: UTF8.self)
            let names = text.matches(of: #/"([^"]*)":/#).map(\.1)
            guard !text.contains(#/,\s*[\]}]/#), !text.contains(#/0[eE]/#), Set(names).count == names.count else {
                continue
            }
            let theirs = try? JSONDecoder().decode(AnyValue.self, from: Data(bytes)).value
            let ours = (try? UntrustedJSON.value(of: bytes, Self.wide)).flatMap(AnyValue.plain)
            #expect(ours == theirs, "\(text)")
        }
    }
}

/// JSON as Foundation reads it, its numbers as it has them.
private struct AnyValue: Decodable {
    let value: ParsedJSON

    init(from decoder: any Decoder) throws {
        let one = try decoder.singleValueContainer()
        if one.decodeNil() {
            value = .null
        } else if let bool = try? one.decode(Bool.self) {
            value = .bool(bool)
        } else if let text = try? one.decode(String.self) {
            value = .text(text)
        } else if let number = try? one.decode(Double.self) {
            value = .number("\(number)")
        } else if let items = try? one.decode([AnyValue].self) {
            value = .list(items.map(\.value))
        } else {
            value = .object(try one.decode([String: AnyValue].self).mapValues(\.value))
        }
    }

    /// Ours with its numbers in the same way; nil where one is beyond any.
    static func plain(_ value: ParsedJSON) -> ParsedJSON? {
        switch value {
        case .number(let text): return Double(text).flatMap { $0.isFinite ? .number("\($0)") : nil }
        case .list(let items):
            let plain = items.compactMap(Self.plain)
            return plain.count == items.count ? .list(plain) : nil
        case .object(let members):
            let plain = members.compactMapValues(Self.plain)
            return plain.count == members.count ? .object(plain) : nil
        default: return value
        }
    }
}
