import ChirpCore
import ChirpFederation
import ChirpHTTP
import Foundation
import Testing

/// Requests that are signed here and believed there, by both schemes.
@Suite struct SignatureClaimTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let body = Array(#"{"type":"Follow"}"#.utf8)
    private let key: ActorKey
    private let signer: Signer
    private let inbox: WebAddress

    init() throws {
        key = try ExampleKeys.actor()
        signer = Signer(key: key, keyID: try #require(ObjectID("https://remote.example/users/bob#main-key")))
        inbox = try #require(WebAddress("https://hub.example/inbox?a=1"))
    }

    /// What arrives of a request that was signed.
    private func arriving(
        _ scheme: SignatureScheme, _ method: HTTPMethod = .post, at time: Date = now,
        change: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> IncomingRequest {
        let content = method == .get ? [] : Self.body
        var request = HTTPRequest(method, inbox, headers: ["Accept": "*/*"], body: .bytes(content))
        try signer.sign(&request, content: content, scheme, now: time)
        change(&request)
        return IncomingRequest(
            method: request.method.rawValue, address: request.address, headers: request.headers, body: content)
    }

    private func verify(_ request: IncomingRequest, at time: Date = now) throws -> VerifiedSignature {
        try SignatureClaim(of: request).verify(by: VerificationKey(pem: key.publicPEM), now: time)
    }

    @Test(arguments: SignatureScheme.allCases, [HTTPMethod.get, .post])
    func `what is signed here is believed there`(scheme: SignatureScheme, method: HTTPMethod) throws {
        let proof = try verify(try arriving(scheme, method))
        #expect(proof.scheme == scheme && proof.keyID.text == "https://remote.example/users/bob#main-key")
        #expect(proof.validUntil == Self.now.addingTimeInterval(12 * 3600 + 300) && proof.fingerprint.count == 64)
    }

    @Test(arguments: SignatureScheme.allCases)
    func `the same request is known again, and another one is another`(scheme: SignatureScheme) throws {
        let first = try verify(try arriving(scheme))
        #expect(try verify(try arriving(scheme), at: Self.now.addingTimeInterval(60)).fingerprint == first.fingerprint)
        let later = try arriving(scheme, at: Self.now.addingTimeInterval(1))
        #expect(try verify(later).fingerprint != first.fingerprint)
    }

    @Test(arguments: SignatureScheme.allCases)
    func `a clock may be wrong by twelve hours and not by thirteen`(scheme: SignatureScheme) throws {
        let request = try arriving(scheme)
        for hours in [-12.0, -1, 0, 1, 12] {
            #expect(try verify(request, at: Self.now.addingTimeInterval(hours * 3600)).scheme == scheme)
        }
        #expect(throws: SignatureError.expired) { try verify(request, at: Self.now.addingTimeInterval(13 * 3600)) }
        #expect(throws: SignatureError.premature) { try verify(request, at: Self.now.addingTimeInterval(-13 * 3600)) }
    }

    @Test(arguments: SignatureScheme.allCases)
    func `another key, method, place, content or time is refused`(scheme: SignatureScheme) throws {
        let request = try arriving(scheme)
        let other = try VerificationKey(pem: ActorKey().publicPEM)
        #expect(throws: SignatureError.wrongKey) {
            try SignatureClaim(of: request).verify(by: other, now: Self.now)
        }
        func changed(method: String = "POST", address: String? = nil, body: [UInt8] = Self.body) throws
            -> IncomingRequest
        {
            IncomingRequest(
                method: method, address: try #require(WebAddress(address ?? inbox.text)), headers: request.headers,
                body: body)
        }
        for wrong in [
            try changed(method: "PUT"), try changed(address: "https://hub.example/inbox?a=2"),
            try changed(address: "https://hub.example/inbox"), try changed(address: "https://other.example/inbox?a=1"),
            try changed(address: "https://hub.example:8443/inbox?a=1"),
        ] {
            #expect(throws: SignatureError.wrongKey) { try verify(wrong) }
        }
        #expect(throws: SignatureError.wrongDigest) { try verify(try changed(body: Array("{}".utf8))) }
        #expect(throws: SignatureError.wrongDigest) { try verify(try changed(body: [])) }
    }

    @Test func `a date that was changed is refused`() throws {
        let request = try arriving(.cavage) { $0.headers["Date"] = HTTPDate.text(Self.now.addingTimeInterval(60)) }
        #expect(throws: SignatureError.wrongKey) { try verify(request) }
    }

    @Test func `hs2019 and no algorithm are RSA with SHA-256`() throws {
        for replacement in ["algorithm=\"hs2019\",", "", "algorithm=\"RSA-SHA256\","] {
            let request = try arriving(.cavage) {
                $0.headers["Signature"] = $0.headers["Signature"]?
                    .replacing("algorithm=\"rsa-sha256\",", with: replacement)
            }
            #expect(try verify(request).scheme == .cavage)
        }
    }

    @Test(arguments: [
        ("algorithm=\"rsa-sha256\"", "algorithm=\"rsa-sha1\"", SignatureError.unsupported("algorithm")),
        ("algorithm=\"rsa-sha256\"", "algorithm=\"none\"", .unsupported("algorithm")),
        ("(request-target) ", "", .notCovered("(request-target)")), (" host ", " ", .notCovered("host")),
        (" date ", " ", .notCovered("date")), (" digest\"", "\"", .notCovered("digest")),
        (" digest\"", " digest digest\"", .malformed("headers")), (" digest\"", " digest x\"", .malformed("x")),
        (" date ", " (created) ", .malformed("(created)")), ("keyId=", "keyid=", .malformed("keyId")),
        ("https://remote.example", "acct:remote.example", .unsupported("keyId")),
        ("keyId=", "keyId=\"a\",keyId=", .malformed("signature")), ("keyId=\"", "keyId=\"\\", .malformed("signature")),
        (",algorithm", ";algorithm", .malformed("signature")),
        ("signature=\"", "signature=\"*", .malformed("signature")),
        ("headers=\"(request-target) host date digest\",", "", .notCovered("(request-target)")),
        ("headers=\"(request-target)", "headers=\"(Request-Target)", .malformed("headers")),
    ])
    func `what is wrong with an old signature is said`(part: String, other: String, error: SignatureError) throws {
        let request = try arriving(.cavage) { request in
            let text = request.headers["Signature"] ?? ""
            #expect(text.contains(part))
            request.headers["Signature"] = text.replacing(part, with: other)
        }
        #expect(throws: error) { try SignatureClaim(of: request) }
    }

    @Test(arguments: [
        ("\"@method\" ", "", SignatureError.notCovered("@method")),
        ("\"@target-uri\"", "\"@path\"", .notCovered("@target-uri")),
        (" \"content-digest\"", "", .notCovered("content-digest")),
        (" \"content-digest\"", " \"content-digest\";key=\"sha-256\"", .notCovered("content-digest")),
        (";created=1800000000", "", .notCovered("created")),
        (";created=1800000000", ";created=\"1800000000\"", .malformed("created")),
        (";created=1800000000", ";created=1800000000.5", .malformed("created")),
        (";alg=\"rsa-v1_5-sha256\"", ";alg=\"none\"", .unsupported("alg")),
        (";alg=\"rsa-v1_5-sha256\"", ";alg=1", .malformed("alg")), ("keyid", "key", .malformed("keyId")),
        ("sig1=(", "sig2=(", .malformed("signature")), ("sig1=(", "sig1=((", .malformed("signature-input")),
        ("sig1=(\"@method\"", "sig1=(\"@method\";req", .unsupported("@method;req")),
        ("sig1=(", "sig1=(\"@method\" ", .malformed("signature-input")),
    ])
    func `what is wrong with a message signature is said`(part: String, other: String, error: SignatureError) throws {
        let request = try arriving(.messageSignatures) { request in
            let text = request.headers["Signature-Input"] ?? ""
            #expect(text.contains(part))
            request.headers["Signature-Input"] = text.replacing(part, with: other)
        }
        #expect(throws: error) { try SignatureClaim(of: request) }
    }

    @Test func `a signature ends when it says so`() throws {
        let text =
            "sig1=(\"@method\" \"@target-uri\");created=1799990000;expires=1799999000;keyid=\"https://a.example/k\""
        let request = IncomingRequest(
            method: "GET", address: inbox, headers: ["Signature-Input": text, "Signature": "sig1=:AAAA:"], body: [])
        let claim = try SignatureClaim(of: request)
        let key = try VerificationKey(pem: key.publicPEM)
        #expect(throws: SignatureError.expired) { try claim.verify(by: key, now: Self.now) }
        let earlier = Date(timeIntervalSince1970: 1_799_999_200)
        #expect(throws: SignatureError.wrongKey) { try claim.verify(by: key, now: earlier) }
    }

    @Test(
        arguments: [
            ["Signature": ""], ["Signature": "x"], ["Signature": "keyId"], ["Signature": "keyId=\"a\","],
            ["Signature": String(repeating: "a=\"b\",", count: 5000)], ["Signature": "keyId=\"é\""],
            ["Signature-Input": ""], ["Signature-Input": "a", "Signature": "a"],
            ["Signature-Input": "a=()", "Signature": "a=1"],
            ["Signature-Input": "a=();created", "Signature": "a=:AA==:"],
            ["Signature-Input": "a=(" + String(repeating: "\"x\" ", count: 3000) + ")", "Signature": "a=:AA==:"],
            ["Signature-Input": "a=\"" + String(repeating: "\\\"", count: 100), "Signature": "a=:AA==:"],
            ["Signature-Input": "a=()", "Signature": "a=:" + String(repeating: "A", count: 9000) + ":"],
            ["Signature-Input": "a=999999999999999999999", "Signature": "a=:AA==:"], [:],
            ["Authorization": "Signature"], ["Authorization": "Bearer x"],
        ] as [[String: String]])
    func `anything else is refused with an error`(fields: [String: String]) throws {
        var headers = HTTPHeaders()
        for (name, value) in fields { headers.append(value, for: name) }
        let request = IncomingRequest(method: "POST", address: inbox, headers: headers, body: Self.body)
        #expect(throws: SignatureError.self) { try SignatureClaim(of: request) }
    }

    @Test func `any cut and any changed byte of a signature is an error, and nothing crashes`() throws {
        for scheme in SignatureScheme.allCases {
            let whole = try arriving(scheme)
            let verifier = try VerificationKey(pem: key.publicPEM)
            for name in ["Signature", "Signature-Input"] {
                guard let text = whole.headers[name] else { continue }
                for place in stride(from: 0, to: text.utf8.count, by: 7) {
                    var bytes = Array(text.utf8)
                    bytes[place] = bytes[place] == 0x41 ? 0x42 : 0x41
                    for wrong in [bytes[..<place], bytes[...]] {
                        var headers = whole.headers
                        headers[name] = String(decoding: wrong, as: UTF8.self)
                        let request = IncomingRequest(
                            method: whole.method, address: whole.address, headers: headers, body: whole.body)
                        // Not signed are the key's id, the algorithm, and spare bits of the last digit of base 64.
                        guard let claim = try? SignatureClaim(of: request),
                            (try? claim.verify(by: verifier, now: Self.now)) != nil
                        else { continue }
                        let isUnsigned =
                            scheme == .cavage
                            && (claim.keyID.text != "https://remote.example/users/bob#main-key"
                                || !String(decoding: wrong, as: UTF8.self).contains("algorithm=\"rsa-sha256\""))
                        #expect(wrong.count == bytes.count && (isUnsigned || place >= bytes.count - 4))
                    }
                }
            }
        }
    }
}
