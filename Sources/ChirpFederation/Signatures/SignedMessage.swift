package import ChirpHTTP

/// What of a request or an answer can be signed.
package struct SignedMessage: Sendable {
    /// Upper case; nil for an answer.
    package let method: String?
    /// Nil for an answer.
    package let address: WebAddress?
    /// Nil for a request.
    package let status: Int?
    package let headers: HTTPHeaders

    package init(method: String?, address: WebAddress?, status: Int? = nil, headers: HTTPHeaders) {
        self.method = method
        self.address = address
        self.status = status
        self.headers = headers
    }

    /// All values of a field, without white space around each; nil when there is none. `host` is always that of the address.
    func values(of name: String) -> [String]? {
        if name == "host", let address { return [address.authority] }
        let values = headers.fields.filter { $0.name.lowercased() == name }.map { $0.value.trimmed }
        return values.isEmpty ? nil : values
    }

    /// The values as one (RFC 9110, section 5.3).
    func value(of name: String) -> String? { values(of: name)?.joined(separator: ", ") }
}

extension WebAddress {
    /// Host and port, without the scheme's own port (RFC 9421, section 2.2.3).
    var authority: String {
        let shown = host.contains(":") ? "[\(host)]" : host
        guard let port, port != (isSecure ? 443 : 80) else { return shown }
        return "\(shown):\(port)"
    }

    /// Path and query, as in the first line of a request.
    var requestTarget: String { path + (query.map { "?" + $0 } ?? "") }
}

extension String {
    fileprivate var trimmed: String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = utf8.firstIndex { !isSpace($0) } ?? endIndex
        let end = utf8[start...].lastIndex { !isSpace($0) }.map { utf8.index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
