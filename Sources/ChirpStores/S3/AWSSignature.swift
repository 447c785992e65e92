internal import ChirpCore
internal import ChirpFiles
package import ChirpHTTP
internal import Crypto
package import FoundationEssentials

/// AWS Signature Version 4 in the `Authorization` field, as S3 wants it ("Authenticating Requests: Using the Authorization
/// Header", Amazon S3 API Reference): the path is encoded once and not shortened.
///
/// Every field of the request that is given is signed, and `Host`.
package struct AWSSignature: Sendable {
    package var keys: S3Keys
    /// Such as `eu-central-1`.
    package var region: String
    /// `s3`.
    package var service: String

    package init(keys: S3Keys, region: String, service: String = "s3") {
        self.keys = keys
        self.region = region
        self.service = service
    }

    /// The value of the field.
    ///
    /// - Parameters:
    ///   - headers: all fields that are signed, `x-amz-date` among them.
    ///   - payloadHash: lower-case hexadecimal SHA-256 of the content.
    ///   - instant: the same time as in `x-amz-date`, see ``time(_:)``.
    package func authorization(
        _ method: HTTPMethod, _ address: WebAddress, headers: HTTPHeaders, payloadHash: String, instant: String
    ) -> String {
        let fields = Self.canonicalFields(headers, host: Self.host(address))
        let names = fields.map(\.name).joined(separator: ";")
        let canonical =
            ([method.rawValue, Self.canonicalPath(address.path), Self.canonicalQuery(address.query ?? "")]
            + fields.map { "\($0.name):\($0.value)" } + ["", names, payloadHash]).joined(separator: "\n")
        let day = String(instant.prefix(8))
        let scope = "\(day)/\(region)/\(service)/aws4_request"
        let text = "AWS4-HMAC-SHA256\n\(instant)\n\(scope)\n\(FileDigest.sha256(of: canonical))"
        let signature = Self.mac(text, signingKey(day)).hexadecimal
        return
            "AWS4-HMAC-SHA256 Credential=\(keys.accessKeyID)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
    }

    /// A time as the protocol writes it: `20130524T000000Z`.
    package static func time(_ date: Date) -> String { InstantText.format(date).filter { $0 != "-" && $0 != ":" } }

    /// The `Host` that libcurl sends: with a port only where it is not the scheme's own.
    package static func host(_ address: WebAddress) -> String {
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        guard let port = address.port, port != (address.isSecure ? 443 : 80) else { return host }
        return "\(host):\(port)"
    }

    private func signingKey(_ day: String) -> [UInt8] {
        [day, region, service, "aws4_request"].reduce(Array("AWS4\(keys.secret.reveal())".utf8)) { key, text in
            Self.mac(text, key)
        }
    }

    private static func mac(_ text: String, _ key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: key)))
    }

    private static func canonicalPath(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.encode(PercentEncoding.decode($0)) }.joined(separator: "/")
    }

    private static func canonicalQuery(_ query: String) -> String {
        let fields = query.split(separator: "&").map { field in
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let encoded = parts.map { PercentEncoding.encode(PercentEncoding.decode($0)) }
            return (name: encoded[0], value: encoded.count > 1 ? encoded[1] : "")
        }
        return fields.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.map { "\($0.name)=\($0.value)" }
            .joined(separator: "&")
    }

    /// Names in lower case and in order; spaces around values go, those inside become one; values of one name are joined.
    private static func canonicalFields(_ headers: HTTPHeaders, host: String) -> [(name: String, value: String)] {
        var values = ["host": [host]]
        for field in headers.fields {
            let words = field.value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
            values[field.name.lowercased(), default: []].append(words)
        }
        return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ",")) }
    }
}
