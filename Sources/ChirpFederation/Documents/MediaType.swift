internal import FoundationEssentials

/// By what type ActivityPub's documents are known (ActivityPub, section 3.2).
package enum MediaType {
    /// What ours are sent as.
    package static let activity = "application/activity+json"
    /// With it documents are asked for.
    package static let accept =
        "application/activity+json, application/ld+json; profile=\"\(Vocabulary.activityStreams)\""

    /// Far above what programs send.
    private static let mostBytes = 2048

    /// Whether a `Content-Type` is one of ActivityPub. Plain JSON is not: somebody may have put it there as a file.
    package static func isActivity(_ contentType: String?) -> Bool {
        guard let contentType, contentType.utf8.count <= mostBytes else { return false }
        let (name, parameters) = parts(contentType[...])
        guard name == "application/ld+json" else { return name == activity }
        return parameters.contains {
            $0.name == "profile" && $0.value.split(separator: " ").contains { $0 == Vocabulary.activityStreams }
        }
    }

    /// Whether an `Accept` prefers a document to a page: such an answer, and the page, vary by it.
    package static func wantsActivity(_ accept: String?) -> Bool {
        guard let accept, accept.utf8.count <= mostBytes else { return false }
        var (document, page) = (0.0, 0.0)
        var isDocumentFirst = false
        for range in accept.split(separator: ",") {
            let (name, parameters) = parts(range)
            let weight = parameters.first { $0.name == "q" }.map { $0.value.decimal(in: 0...1) ?? 0 } ?? 1
            switch name {
            case activity, "application/ld+json":
                if weight > document { isDocumentFirst = page == 0 }
                document = max(document, weight)
            case "text/html", "application/xhtml+xml": page = max(page, weight)
            default: break
            }
        }
        return document > 0 && (document > page || (document == page && isDocumentFirst))
    }

    private static func parts(_ text: Substring) -> (String, [(name: String, value: String)]) {
        let parts = text.split(separator: ";").map { $0.filter { $0 != "\"" } }
        let plain = { (part: String) in part.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ") }
        let parameters = parts.dropFirst().map { part in
            let name = part.prefix { $0 != "=" }
            return (plain(String(name)).lowercased(), plain(String(part.dropFirst(name.count + 1))))
        }
        return (plain(parts.first ?? "").lowercased(), parameters)
    }
}
