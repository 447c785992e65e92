internal import Glibc

/// A form with one file (`multipart/form-data`, RFC 7578), as a page of this server sends it: first the token, then the file, nothing else.
package struct FileForm: Sendable {
    package let token: String
    /// The content of the file; empty when none was chosen.
    package let file: [UInt8]

    /// Of a part's head.
    private static let mostHeadBytes = 2048

    /// Nil for what is no such form.
    ///
    /// - Parameter contentType: of the request, with its boundary.
    package init?(_ body: [UInt8], contentType: String, file name: String) {
        guard let boundary = Self.boundary(contentType) else { return nil }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter has no line before it.
        var rest = (Array("\r\n".utf8) + body)[...]
        guard rest.starts(with: delimiter) else { return nil }
        rest = rest.dropFirst(delimiter.count)
        var parts: [(head: String, content: ArraySlice<UInt8>)] = []
        while !rest.starts(with: Array("--".utf8)) {
            guard parts.count < 2, rest.starts(with: [13, 10]) else { return nil }
            rest = rest.dropFirst(2)
            guard let head = rest.prefix(Self.mostHeadBytes).firstRange(of: [13, 10, 13, 10]) else { return nil }
            let text = String(decoding: rest[..<head.lowerBound], as: UTF8.self)
            rest = rest[head.upperBound...]
            guard let count = Self.count(before: delimiter, in: rest) else { return nil }
            parts.append((text, rest.prefix(count)))
            rest = rest.dropFirst(count + delimiter.count)
        }
        guard parts.count == 2, Self.name(of: parts[0].head) == "token", Self.name(of: parts[1].head) == name else {
            return nil
        }
        token = String(decoding: parts[0].content.prefix(200), as: UTF8.self)
        file = Array(parts[1].content)
    }

    /// How many bytes stand before a delimiter, which begins with a carriage return; nil when there is none.
    private static func count(before delimiter: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var start = 0
            while start + delimiter.count <= bytes.count, let found = memchr(base + start, 13, bytes.count - start) {
                let index = UnsafeRawPointer(found) - base
                guard index + delimiter.count <= bytes.count else { return nil }
                if delimiter.indices.allSatisfy({ bytes[index + $0] == delimiter[$0] }) { return index }
                start = index + 1
            }
            return nil
        }
    }

    /// As RFC 2046, section 5.1.1, allows it.
    private static func boundary(_ contentType: String) -> String? {
        let fields = contentType.split(separator: ";").map { $0.drop { $0 == " " } }
        guard fields.first?.lowercased() == "multipart/form-data",
            let field = fields.first(where: { $0.lowercased().hasPrefix("boundary=") })
        else { return nil }
        let value = String(field.dropFirst("boundary=".count).filter { $0 != "\"" })
        let isAllowed = value.utf8.allSatisfy { (33...126).contains($0) }
        return (1...70).contains(value.utf8.count) && isAllowed ? value : nil
    }

    /// The name of a part's field.
    private static func name(of head: String) -> String? {
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-disposition:") {
            for field in line.split(separator: ";").dropFirst() {
                let field = field.drop { $0 == " " }
                if field.hasPrefix("name=\"") { return String(field.dropFirst(6).prefix { $0 != "\"" }) }
            }
        }
        return nil
    }
}
