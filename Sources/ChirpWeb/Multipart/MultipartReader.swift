internal import Glibc
internal import HTTPTypes
package import NIOCore

/// Takes apart a form with files (`multipart/form-data`, RFC 7578) while it comes, and keeps no more of it than a delimiter and the
/// head of a part.
///
/// It is strict: what browsers and programs send passes, and nothing else.
package struct MultipartReader: Sendable {
    /// What was found.
    package enum Event: Hashable, Sendable {
        case part(name: String, fileName: String?, type: String?)
        /// More of the part's content.
        case content(ByteBuffer)
        case endOfPart
    }

    private enum State { case beginning, head, content, delimited, over }

    /// A part's head is not longer than this.
    static let mostHeadBytes = 4096
    private let mostParts: Int

    private let delimiter: [UInt8]
    private var state = State.beginning
    private var waiting = ByteBuffer()
    private var parts = 0
    /// So far no end of the head begins, in bytes of what waits: what comes in small pieces is not searched again from its beginning.
    private var searched = 0

    /// - Parameters:
    ///   - contentType: of the request, with its boundary.
    ///   - mostParts: fields and files.
    /// - Throws: 415 for another type, 400 for a boundary that cannot be.
    package init(contentType: String?, mostParts: Int = 32) throws(Problem) {
        self.mostParts = mostParts
        let (type, parameters) = Self.parameters(of: contentType ?? "")
        guard type.lowercased() == "multipart/form-data" else {
            throw Problem(.unsupportedMediaType, "media-type", "A form with a file is expected (multipart/form-data)")
        }
        // RFC 2046, section 5.1.1.
        guard let boundary = parameters["boundary"], (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }), boundary.last != " "
        else { throw Self.malformed }
        delimiter = Array("\r\n--\(boundary)".utf8)
        // So that the first delimiter is like the others.
        waiting.writeString("\r\n")
    }

    /// Reads on.
    ///
    /// - Throws: 400 for what is no such form.
    package mutating func read(_ piece: ByteBuffer) throws(Problem) -> [Event] {
        guard state != .over else { return [] }
        waiting.writeImmutableBuffer(piece)
        var events: [Event] = []
        while try step(&events) {}
        waiting.discardReadBytes()
        return events
    }

    /// - Throws: 400 when the form was cut off.
    package func end() throws(Problem) { guard state == .over else { throw Self.malformed } }

    /// - Returns: false when more must come first.
    private mutating func step(_ events: inout [Event]) throws(Problem) -> Bool {
        switch state {
        case .beginning:
            guard waiting.readableBytes >= delimiter.count else { return false }
            guard waiting.readBytes(length: delimiter.count) == delimiter else { throw Self.malformed }
            state = .delimited
        case .delimited:
            guard let next = waiting.readBytes(length: 2) else { return false }
            switch next {
            case [0x2D, 0x2D]:
                state = .over
                // What stands behind the end is nobody's.
                waiting.clear()
                return false
            case [0x0D, 0x0A]:
                parts += 1
                guard parts <= mostParts else { throw Self.malformed }
                state = .head
            default: throw Self.malformed
            }
        case .head:
            guard let length = headLength() else {
                guard waiting.readableBytes <= Self.mostHeadBytes else { throw Self.malformed }
                searched = max(0, waiting.readableBytes - 3)
                return false
            }
            guard length <= Self.mostHeadBytes, let head = waiting.readString(length: length) else {
                throw Self.malformed
            }
            waiting.moveReaderIndex(forwardBy: 4)
            searched = 0
            events.append(try Self.part(head))
            state = .content
        case .content:
            let (count, isEnd) = contentLength()
            if count > 0, let content = waiting.readSlice(length: count) { events.append(.content(content)) }
            guard isEnd else { return false }
            waiting.moveReaderIndex(forwardBy: delimiter.count)
            events.append(.endOfPart)
            state = .delimited
        case .over: return false
        }
        return true
    }

    /// Where the head's empty line is.
    private func headLength() -> Int? {
        waiting.withUnsafeReadableBytes { bytes in
            let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
            let most = min(bytes.count, Self.mostHeadBytes + end.count)
            guard most >= searched + end.count else { return nil }
            return (searched...(most - end.count)).first { start in
                end.indices.allSatisfy { bytes[start + $0] == end[$0] }
            }
        }
    }

    /// How much is certainly content, and whether the delimiter follows.
    private func contentLength() -> (count: Int, isEnd: Bool) {
        waiting.withUnsafeReadableBytes { bytes in
            guard let base = bytes.baseAddress else { return (0, false) }
            var start = 0
            while start < bytes.count, let found = memchr(base + start, 0x0D, bytes.count - start) {
                let index = UnsafeRawPointer(found) - base
                let count = min(delimiter.count, bytes.count - index)
                if (0..<count).allSatisfy({ bytes[index + $0] == delimiter[$0] }) {
                    return (index, count == delimiter.count)
                }
                start = index + 1
            }
            return (bytes.count, false)
        }
    }

    private static func part(_ head: String) throws(Problem) -> Event {
        var (disposition, type): (String?, String?) = (nil, nil)
        for line in head.split(separator: "\r\n", omittingEmptySubsequences: false) {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { throw malformed }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            switch line[..<colon].lowercased() {
            case "content-disposition":
                guard disposition == nil else { throw malformed }
                disposition = String(value)
            case "content-type": type = String(value)
            default: break
            }
        }
        let (kind, parameters) = parameters(of: disposition ?? "")
        guard kind.lowercased() == "form-data", let name = parameters["name"] else { throw malformed }
        return .part(name: name, fileName: parameters["filename"], type: type)
    }

    /// A value and what stands behind it as `; name=value`; the first of a name counts. Browsers write quotes in names as `%22`.
    static func parameters(of text: String) -> (value: String, parameters: [String: String]) {
        var rest = Substring(text)
        let value = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(value.count)
        var parameters: [String: String] = [:]
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            var value = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let next = rest.first, next != "\"" {
                    rest = rest.dropFirst()
                    if next == "\\", let escaped = rest.first {
                        value.append(escaped)
                        rest = rest.dropFirst()
                    } else {
                        value.append(next)
                    }
                }
                rest = rest.dropFirst().drop { $0 != ";" }
            } else {
                let plain = rest.prefix { $0 != ";" }
                rest = rest.dropFirst(plain.count)
                value = String(plain.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            }
            let key = name.lowercased()
            if parameters[key] == nil { parameters[key] = value }
        }
        return (String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed()), parameters)
    }

    private static var malformed: Problem {
        Problem(.badRequest, "not-understood", "The form is not one that is understood (multipart/form-data)")
    }
}
