package import Hummingbird

extension WebContext {
    /// An answer of server-sent events (HTML standard, section 9.2), which lasts as long as it is written. It is counted meanwhile.
    ///
    /// - Parameter account: whose stream it is; nil for a visitor's.
    /// - Throws: 429 when the visitor or the account has as many streams as it may.
    package func events(
        _ shares: AddressShares, account: String?,
        _ write: @escaping @concurrent @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) throws -> Response {
        guard let share = shares.stream(for: holder, account: account) else { throw HTTPError(.tooManyRequests) }
        // It is counted as a stream from here on.
        shares.requests.slot(on: channel)?.leave()
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
                // Reverse proxies hold back what they take for an ordinary answer.
                .xAccelBuffering: "no",
            ],
            body: ResponseBody { writer in
                defer { withExtendedLifetime(share) {} }
                try await write(&writer)
                try await writer.finish(nil)
            })
    }
}
