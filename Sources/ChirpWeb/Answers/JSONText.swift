package import FoundationEssentials
package import Hummingbird

/// JSON that is written as it is told, without a tree and without an encoder: a page of posts is told for every reader anew. Half of
/// the time of a feed that goes through the encoder of Foundation is spent there (Docs/performance.md).
package struct JSONText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var isFirst = true

    package init() {}

    /// An object; the fields are those that the closure writes.
    package mutating func object(_ fields: (inout JSONText) throws -> Void) rethrows {
        begin(UInt8(ascii: "{"))
        try fields(&self)
        end(UInt8(ascii: "}"))
    }

    /// An array with an element for each item.
    package mutating func array<Items: Sequence>(
        _ items: Items, _ element: (inout JSONText, Items.Element) throws -> Void
    ) rethrows {
        begin(UInt8(ascii: "["))
        for item in items {
            separate()
            try element(&self, item)
            isFirst = false
        }
        end(UInt8(ascii: "]"))
    }

    /// A field of the object that is being written.
    package mutating func field(_ name: StaticString, _ value: (inout JSONText) throws -> Void) rethrows {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        isFirst = true
        try value(&self)
        isFirst = false
    }

    package mutating func field(_ name: StaticString, _ text: String?) { field(name) { $0.value(text) } }
    package mutating func field(_ name: StaticString, _ number: Int?) { field(name) { $0.value(number) } }
    package mutating func field(_ name: StaticString, _ truth: Bool) { field(name) { $0.value(truth) } }
    package mutating func field(_ name: StaticString, _ date: Date?) { field(name) { $0.value(date) } }
    package mutating func field(_ name: StaticString, seconds: Double?) { field(name) { $0.value(seconds: seconds) } }
    /// An empty array.
    package mutating func none(_ name: StaticString) { field(name) { $0.array([Int]()) { _, _ in } } }

    package mutating func value(_ text: String?) {
        guard let text else { return null() }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(contentsOf: (byte < 16 ? "0" : "1").utf8)
                bytes.append(contentsOf: String(byte & 15, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func value(_ number: Int?) {
        guard let number else { return null() }
        bytes.append(contentsOf: String(number).utf8)
    }

    package mutating func value(_ truth: Bool) { bytes.append(contentsOf: (truth ? "true" : "false").utf8) }

    /// A number with its fraction; what is no number is null.
    package mutating func value(seconds: Double?) {
        guard let seconds, seconds.isFinite else { return null() }
        bytes.append(contentsOf: "\(seconds)".utf8)
    }

    /// An instant as `2026-11-22T10:00:00.000Z`.
    package mutating func value(_ date: Date?) {
        guard let date else { return null() }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: InstantText.iso(date).utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    /// JSON that this program has written before, as it is.
    package mutating func value(json text: String?) {
        guard let text else { return null() }
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func null() { bytes.append(contentsOf: "null".utf8) }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func begin(_ sign: UInt8) {
        bytes.append(sign)
        isFirst = true
    }

    private mutating func end(_ sign: UInt8) {
        bytes.append(sign)
        isFirst = false
    }
}

/// Instants in UTC with their milliseconds, by arithmetic alone.
package enum InstantText {
    /// As `2026-11-22T10:00:00.000Z` (RFC 3339).
    package static func iso(_ date: Date) -> String {
        // Years 0 to 9999, as the form has no others.
        let milliseconds = min(max(date.timeIntervalSince1970 * 1000, -62_167_219_200_000), 253_402_300_799_999)
        let all = Int64(clamping: milliseconds.rounded(.down))
        let (day, rest) = (all.floored(86_400_000), all - all.floored(86_400_000) * 86_400_000)
        let (year, month, number) = civil(day)
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { digits($0, 2) }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(number, 2))T\(clock.joined(separator: ":"))"
            + ".\(digits(rest % 1000, 3))Z"
    }

    /// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar: 400 years have 146,097 days, and years that
    /// begin in March have their leap day at the end.
    private static func civil(_ day: Int64) -> (Int64, Int64, Int64) {
        let shifted = day + 719_468
        let era = shifted.floored(146_097)
        let inEra = shifted - era * 146_097
        let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * year + year / 4 - year / 100)
        let month = (5 * inYear + 2) / 153
        let number = inYear - (153 * month + 2) / 5 + 1
        let march = month < 10 ? month + 3 : month - 9
        return (year + era * 400 + (march <= 2 ? 1 : 0), march, number)
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
    }
}

extension Int64 {
    /// The quotient that rounds towards minus infinity.
    fileprivate func floored(_ divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self < 0 && quotient * divisor != self ? quotient - 1 : quotient
    }
}

extension Response {
    /// A document for programs.
    package static func json(_ text: JSONText, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: text.bytes)))
    }

    /// A document of one object.
    package static func json(_ fields: (inout JSONText) -> Void) -> Response {
        var text = JSONText()
        text.object(fields)
        return .json(text)
    }
}
