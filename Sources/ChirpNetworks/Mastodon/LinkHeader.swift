package import ChirpHTTP

/// The `Link` header field, by which services lead to the next page (RFC 8288).
package enum LinkHeader {
    /// Of one field; two addresses with their cursors are some hundred.
    private static let mostBytes = 8 << 10

    /// The address with this relation, on the same server as the page that named it.
    package static func address(_ relation: String, in response: HTTPResponse, of page: WebAddress) -> WebAddress? {
        for field in response.headers.fields
        where field.name.lowercased() == "link" && field.value.utf8.count <= mostBytes {
            for part in field.value.split(separator: ",") {
                guard let start = part.firstIndex(of: "<"), let end = part.firstIndex(of: ">"), start < end else {
                    continue
                }
                let parameters = part[part.index(after: end)...].split(separator: ";").map { $0.filter { $0 != " " } }
                guard parameters.contains("rel=\"\(relation)\"") || parameters.contains("rel=\(relation)") else {
                    continue
                }
                guard let address = page.resolving(String(part[part.index(after: start)..<end])) else { return nil }
                return address.origin == page.origin ? address : nil
            }
        }
        return nil
    }
}
