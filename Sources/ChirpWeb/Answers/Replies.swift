internal import FoundationEssentials
internal import Hummingbird

extension Response {
    /// A page. It may have changed by the next time, so it is asked for again.
    static func page(_ html: HTML, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html.text)))
    }

    /// A document for programs: keys in order, instants in ISO 8601.
    static func json(
        _ value: some Encodable, type: String = "application/json", status: HTTPResponse.Status = .ok
    ) throws -> Response {
        Response(
            status: status, headers: [.contentType: type, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try HubJSON.encode(value))))
    }
}

/// The one way in which this module writes JSON.
enum HubJSON {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}
