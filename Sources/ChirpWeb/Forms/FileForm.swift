internal import Glibc

/// A form with files (`multipart/form-data`, RFC 7578), as a page of this server sends it: first the token, then its fields and files.
package struct FileForm: Sendable {
    package let token: String
    /// What was typed.
    package let fields: Form
    /// They share the bytes of the form.
    private let parts: [String: [ArraySlice<UInt8>]]

    /// The files that a field may have.
    package struct Files: Hashable, Sendable {
        package let name: String
        package let most: Int
        /// Bytes of each.
        package let mostBytes: Int

        package init(_ name: String, most: Int = 1, mostBytes: Int) {
            (self.name, self.most, self.mostBytes) = (name, most, mostBytes)
        }
    }

    /// Why a form cannot be taken; then nothing of it was.
    package enum Refusal: Error, Hashable {
        case malformed
        /// More files than a field may have.
        case tooMany(field: String, most: Int)
        /// A file, or all that was typed, is too long.
        case tooLarge(field: String, most: Int)
    }

    /// Of a part's head.
    private static let mostHeadBytes = 2048
    /// Of the fields, files included.
    private static let mostParts = 100

    /// The content of the file of a form with one; empty when none was chosen.
    package var file: [UInt8] { Array(parts.values.first?.first ?? []) }

    /// The files that were chosen in a field, in their order.
    package func files(_ name: String) -> [[UInt8]] { (parts[name] ?? []).map(Array.init) }

    /// A form with a token and one file, and nothing else. Nil for what is no such form.
    ///
    /// - Parameter contentType: of the request, with its boundary.
    package init?(_ body: [UInt8], contentType: String, file name: String) {
        guard let parts = Self.parts(of: body, contentType: contentType, most: 2), parts.count == 2,
            Self.name(of: parts[0].head) == "token", Self.name(of: parts[1].head) == name
        else { return nil }
        token = String(decoding: parts[0].content.prefix(200), as: UTF8.self)
        self.parts = [name: [parts[1].content]]
        fields = Form(pairs: [])
    }

    /// A form with a token, with fields and with files.
    ///
    /// - Parameters:
    ///   - contentType: of the request, with its boundary.
    ///   - files: the fields that have files; a file in another one is a field.
    package init(_ body: [UInt8], contentType: String, files: [Files]) throws(Refusal) {
        guard let parts = Self.parts(of: body, contentType: contentType, most: Self.mostParts),
            let first = parts.first, Self.name(of: first.head) == "token"
        else { throw .malformed }
        var pairs: [(name: String, value: String)] = []
        var (found, typed) = ([String: [ArraySlice<UInt8>]](), 0)
        for part in parts {
            guard let name = Self.name(of: part.head) else { throw .malformed }
            guard let rule = files.first(where: { $0.name == name }) else {
                typed += name.utf8.count + part.content.count
                guard typed <= Form.mostBytes else { throw .tooLarge(field: name, most: Form.mostBytes) }
                pairs.append((name, String(decoding: part.content, as: UTF8.self)))
                continue
            }
            // A field without a choice comes as an empty file.
            guard !part.content.isEmpty else { continue }
            guard part.content.count <= rule.mostBytes else { throw .tooLarge(field: name, most: rule.mostBytes) }
            guard found[name, default: []].count < rule.most else { throw .tooMany(field: name, most: rule.most) }
            found[name, default: []].append(part.content)
        }
        self.parts = found
        fields = Form(pairs: pairs)
        token = String(fields["token"].prefix(200))
    }

    /// The parts of a form; nil for what is none, or has more of them.
    private static func parts(
        of body: [UInt8], contentType: String, most: Int
    ) -> [(head: String, content: ArraySlice<UInt8>)]? {
        guard let boundary = Self.boundary(contentType) else { return nil }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter has no line before it.
        var rest = body[...]
        guard rest.starts(with: delimiter.dropFirst(2)) else { return nil }
        rest = rest.dropFirst(delimiter.count - 2)
        var parts: [(head: String, content: ArraySlice<UInt8>)] = []
        while !rest.starts(with: Array("--".utf8)) {
            guard parts.count < most, rest.starts(with: [13, 10]) else { return nil }
            rest = rest.dropFirst(2)
            guard let head = rest.prefix(Self.mostHeadBytes).firstRange(of: [13, 10, 13, 10]) else { return nil }
            let text = String(decoding: rest[..<head.lowerBound], as: UTF8.self)
            rest = rest[head.upperBound...]
            guard let count = Self.count(before: delimiter, in: rest) else { return nil }
            parts.append((text, rest.prefix(count)))
            rest = rest.dropFirst(count + delimiter.count)
        }
        return parts
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
