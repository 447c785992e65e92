package import ChirpHTTP

/// The page that Drive shows instead of a file that it does not scan: a form `download-form` whose hidden fields make the
/// real address. Undocumented and changing, so everything else in it is ignored.
package struct DriveConfirmation: Hashable {
    let address: WebAddress

    /// Nil when the page holds no such form.
    package init?(page: [UInt8], at place: WebAddress) {
        let text = String(decoding: page, as: UTF8.self)
        guard let form = text.firstRange(of: "id=\"download-form\"") else { return nil }
        let before = text[..<form.lowerBound]
        guard let begin = before.lastIndex(of: "<") else { return nil }
        let body = text[begin...]
        let end = body.firstRange(of: "</form>")?.lowerBound ?? body.endIndex
        guard let head = body[..<end].split(separator: ">").first,
            let action = Self.attribute("action", of: head), var address = place.resolving(action)
        else { return nil }
        for tag in body[..<end].split(separator: "<").prefix(50) where tag.hasPrefix("input") {
            guard let name = Self.attribute("name", of: tag), ["id", "export", "confirm", "uuid"].contains(name),
                let value = Self.attribute("value", of: tag), address.field(name) == nil
            else { continue }
            address = address.adding(["\(name)": value])
        }
        self.address = address
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        guard let begin = tag.firstRange(of: " \(name)=\"") else { return nil }
        return tag[begin.upperBound...].prefix { $0 != "\"" }.split(
            separator: "&amp;", omittingEmptySubsequences: false
        )
        .joined(separator: "&")
    }
}
