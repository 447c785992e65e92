internal import ChirpCore
internal import ChirpFiles
package import ChirpHTTP
package import FoundationEssentials

/// Signs every request, its content included: nobody on the way can change a byte of it, and a server that gets another content than
/// was signed refuses it.
///
/// Content in a file says its SHA-256 in the field `x-amz-content-sha256`; that of content in memory is computed here.
package struct S3Transport: HTTPTransport {
    private let base: any HTTPTransport
    private let signature: AWSSignature
    private let now: @Sendable () -> Date

    package init(_ base: any HTTPTransport, signature: AWSSignature, now: @escaping @Sendable () -> Date) {
        self.base = base
        self.signature = signature
        self.now = now
    }

    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var signed = request
        let instant = AWSSignature.time(now())
        let hash = request.headers[Self.hashField] ?? Self.hash(request.body)
        signed.headers[Self.hashField] = hash
        signed.headers["x-amz-date"] = instant
        if let token = signature.keys.sessionToken { signed.headers["x-amz-security-token"] = token.reveal() }
        signed.headers["Authorization"] = signature.authorization(
            request.method, request.address, headers: signed.headers, payloadHash: hash, instant: instant)
        return try await base.send(signed)
    }

    package static let hashField = "x-amz-content-sha256"

    private static func hash(_ body: HTTPBody) -> String {
        var digest = FileDigest.Running()
        for segment in body.segments {
            guard case .bytes(let bytes) = segment else { preconditionFailure("a file's content needs its hash") }
            bytes.withUnsafeBytes { digest.add($0) }
        }
        return digest.digest.sha256
    }
}
