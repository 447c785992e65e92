package import ChirpNumbers
package import FoundationEssentials
package import Hummingbird

extension Response {
    /// A page. It may have changed by the next time, so it is asked for again.
    package static func page(_ html: HTML, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html.text)))
    }

    /// A document for programs: keys in order, instants in ISO 8601.
    package static func json(
        _ value: some Encodable, type: String = "application/json", status: HTTPResponse.Status = .ok
    ) throws -> Response {
        Response(
            status: status, headers: [.contentType: type, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try WebJSON.encode(value))))
    }
}

extension Response {
    /// A document that the asker may have already; then it is not sent again: 304. Nobody shows a kept one without asking.
    package static func document(_ bytes: Data, type: String, to request: Request) -> Response {
        let validators = Validators(of: bytes)
        var headers: HTTPFields = [.cacheControl: "no-cache", .eTag: validators.entityTag]
        if validators.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = type
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// The one form of JSON that a server here writes.
package enum WebJSON {
    /// Keys in order, instants in ISO 8601.
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}

extension Request {
    /// A number from the query, or nil when it is not given.
    ///
    /// - Throws: 400 when it is not a number or out of range.
    package func number(_ name: String, in range: ClosedRange<Int32>) throws -> Int? {
        guard let text = uri.queryParameters[name[...]] else { return nil }
        guard let number = text.integer(in: range) else { throw HTTPError(.badRequest) }
        return number
    }

    /// Where a list goes on, from the query; nil when it is not given.
    ///
    /// - Parameter least: the first place that there is.
    /// - Throws: 400 when it is no place in a list.
    package func cursor(_ name: String, from least: PageCursor = .start) throws -> PageCursor? {
        guard let text = uri.queryParameters[name[...]] else { return nil }
        guard let place = PageCursor(text), place >= least else { throw HTTPError(.badRequest) }
        return place
    }
}
