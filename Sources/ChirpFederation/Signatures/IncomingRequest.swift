package import ChirpHTTP

/// A request to this hub, as far as its signature covers it.
package struct IncomingRequest: Sendable {
    /// As it was sent; upper case.
    package let method: String
    /// Scheme, host and port of the hub as others write it, and path and query as they were sent. What a request's `Host` says does not
    /// count: a signature for another server's name is none for this one.
    package let address: WebAddress
    package let headers: HTTPHeaders
    package let body: [UInt8]

    package init(method: String, address: WebAddress, headers: HTTPHeaders, body: [UInt8]) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }
}
