public import ChirpHTTP

/// A person's browser in tests: opens an address and follows where it leads.
public enum LoopbackBrowser {
    /// - Returns: the last page's text.
    @discardableResult
    public static func open(_ address: WebAddress) async -> String {
        let transport = RedirectingTransport(CurlTransport()) { $0.isLoopback }
        return (try? await transport.send(HTTPRequest(.get, address)))?.text ?? ""
    }
}
