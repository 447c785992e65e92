internal import ChirpCore
internal import ChirpFiles
package import FoundationEssentials
package import Hummingbird

/// What tells one state of a file from another (RFC 9110, section 8.8), and the conditions of requests on them.
package struct Validators: Sendable {
    /// Strong: equal tags mean equal bytes. With its quotes.
    package let entityTag: String
    /// As `Last-Modified` has it; nil for what changes without a date that says so.
    package let lastModified: String?

    /// - Parameter sha256: of the bytes, in lower-case hexadecimal.
    package init(sha256: String, modified: Date) {
        entityTag = "\"\(sha256)\""
        lastModified = HTTPDate.text(modified)
    }

    /// Those of a document that is made anew for each request. A date would not do: when something leaves a list, the newest
    /// thing in it is as old as before.
    package init(of document: Data) {
        entityTag = "\"\(FileDigest.sha256(of: Array(document)))\""
        lastModified = nil
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
        return lastModified != nil && request.headers[.ifModifiedSince] == lastModified
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
