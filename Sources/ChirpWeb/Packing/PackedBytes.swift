package import Hummingbird

/// What is the same for everybody, as it is and as browsers rather take it. What holds anybody's secrets is not packed beside what
/// others have written: how long it gets would tell of it (the attack BREACH, CVE-2013-3587).
package struct PackedBytes: Sendable {
    /// All answers share it.
    private let plain: ByteBuffer
    private let gzipped: ByteBuffer?
    package var bytes: [UInt8] { Array(plain.readableBytesView) }
    /// Packed by gzip; nil when that makes it no smaller.
    package var packed: [UInt8]? { gzipped.map { Array($0.readableBytesView) } }

    package init(_ bytes: [UInt8]) { self.init(bytes, packed: Gzip.packed(bytes)) }

    /// - Parameter packed: by somebody else.
    package init(_ bytes: [UInt8], packed: [UInt8]?) {
        plain = ByteBuffer(bytes: bytes)
        gzipped = packed.map { ByteBuffer(bytes: $0) }
    }

    /// The answer to who asks for it, packed for who takes that (RFC 9110, 12.5.3).
    ///
    /// - Parameter headers: what else is said of it.
    package func answer(to request: Request, _ headers: HTTPFields) -> Response {
        var headers = headers
        headers[.vary] = "Accept-Encoding"
        let taken = gzipped.flatMap { Self.takesGzip(request) ? $0 : nil }
        if taken != nil { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: taken ?? plain))
    }

    /// The answer with what was just made, which is packed only for who takes it so.
    package static func answer(_ bytes: [UInt8], to request: Request, _ headers: HTTPFields) -> Response {
        PackedBytes(bytes, packed: takesGzip(request) ? Gzip.packed(bytes) : nil).answer(to: request, headers)
    }

    /// Named without a weight, or with one that is not nothing.
    private static func takesGzip(_ request: Request) -> Bool {
        request.headers[values: .acceptEncoding].flatMap { $0.split(separator: ",") }.contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard parts.first == "gzip" else { return false }
            return !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
        }
    }
}
