internal import ChirpCore
package import FoundationEssentials
package import Hummingbird

/// What tells one state of a file from another (RFC 9110, section 8.8), and the conditions of requests on them.
package struct Validators {
    /// Strong: equal tags mean equal bytes. With its quotes.
    package let entityTag: String
    /// As `Last-Modified` has it.
    package let lastModified: String

    /// - Parameter sha256: of the bytes, in lower-case hexadecimal.
    package init(sha256: String, modified: Date) {
        entityTag = "\"\(sha256)\""
        lastModified = HTTPDate.text(modified)
    }

    /// Whether the asker has this state already: 304 (section 13.1.2, 13.1.3). A date counts only when no tag was sent.
    package func isKnown(to request: Request) -> Bool {
        let tags = request.headers[values: .ifNoneMatch]
        guard tags.isEmpty else {
            return tags.contains { list in
                list.split(separator: ",").contains { item in
                    var tag = item.trimmingSpaces
                    if tag == "*" { return true }
                    if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
                    return tag == entityTag
                }
            }
        }
        // The date that was sent is one that came from here, so comparing the text suffices and needs no parser.
        return request.headers[.ifModifiedSince] == lastModified
    }

    /// Whether a range of this state may be sent: no `If-Range`, or one that names it (section 13.1.5).
    package func allowRange(to request: Request) -> Bool {
        guard let condition = request.headers[.ifRange] else { return true }
        return condition == entityTag || condition == lastModified
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
        while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
        return text
    }
}
