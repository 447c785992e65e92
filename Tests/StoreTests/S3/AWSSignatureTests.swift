import ChirpCore
import ChirpFiles
import ChirpHTTP
import ChirpStores
import Foundation
import Testing

/// Against the examples that Amazon publishes: those of the S3 API Reference ("Examples: Signature Calculations") and of the general
/// test suite for Signature Version 4. `Tests/Peers/s3.py` compares thousands of other requests with botocore.
@Suite struct AWSSignatureTests {
    struct Example: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let method: HTTPMethod
        let target: String
        var headers: HTTPHeaders = [:]
        var content = ""
        let signature: String
    }

    private static let letters = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    static let ofS3 = [
        Example(
            testDescription: "a part of an object", method: .get, target: "/test.txt",
            headers: ["Range": "bytes=0-9"],
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Example(
            testDescription: "an object is put", method: .put, target: "/test$file.text",
            headers: ["Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
            content: "Welcome to Amazon S3.",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            testDescription: "a field of the query without a value", method: .get, target: "/?lifecycle",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            testDescription: "a list", method: .get, target: "/?max-keys=2&prefix=J",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    static let general = [
        Example(
            testDescription: "nothing but the host", method: .get, target: "/",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Example(
            testDescription: "the query is put in order", method: .get, target: "/?Param2=value2&Param1=value1",
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        Example(
            testDescription: "a post", method: .post, target: "/",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Example(
            testDescription: "spaces around and in values", method: .get, target: "/",
            headers: ["My-Header1": " value1", "My-Header2": " \"a   b   c\""],
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        Example(
            testDescription: "a form", method: .post, target: "/",
            headers: ["Content-Type": "application/x-www-form-urlencoded"], content: "Param1=value1",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
        Example(
            testDescription: "characters that are never encoded", method: .get, target: "/\(letters)",
            signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        Example(
            testDescription: "a character beyond ASCII", method: .get, target: "/%E1%88%B4",
            signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
    ]

    @Test(arguments: ofS3)
    func `the examples of S3 have their published signatures`(example: Example) throws {
        let keys = try #require(
            S3Keys(accessKeyID: "AKIAIOSFODNN7EXAMPLE", secret: Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")))
        var headers = example.headers
        let hash = FileDigest.sha256(of: example.content)
        headers["x-amz-content-sha256"] = hash
        headers["x-amz-date"] = "20130524T000000Z"
        let field = AWSSignature(keys: keys, region: "us-east-1").authorization(
            example.method, try #require(WebAddress("https://examplebucket.s3.amazonaws.com\(example.target)")),
            headers: headers, payloadHash: hash, instant: "20130524T000000Z")
        #expect(field.hasSuffix("Signature=\(example.signature)"))
        #expect(
            field.hasPrefix(
                "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders="))
    }

    @Test(arguments: general)
    func `the general test suite has its published signatures`(example: Example) throws {
        let keys = try #require(
            S3Keys(accessKeyID: "AKIDEXAMPLE", secret: Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")))
        var headers = example.headers
        headers["X-Amz-Date"] = "20150830T123600Z"
        let field = AWSSignature(keys: keys, region: "us-east-1", service: "service").authorization(
            example.method, try #require(WebAddress("https://example.amazonaws.com\(example.target)")),
            headers: headers, payloadHash: FileDigest.sha256(of: example.content), instant: "20150830T123600Z")
        #expect(field.hasSuffix("Signature=\(example.signature)"))
    }

    @Test(arguments: [
        ("https://s3.example/x", "s3.example"), ("https://s3.example:443/x", "s3.example"),
        ("https://s3.example:9000", "s3.example:9000"), ("http://127.0.0.1:80", "127.0.0.1"),
        ("http://[::1]:9000/", "[::1]:9000"),
    ])
    func `the host is signed as it is sent`(address: String, host: String) throws {
        #expect(AWSSignature.host(try #require(WebAddress(address))) == host)
    }

    @Test func `a time is written without punctuation`() {
        #expect(AWSSignature.time(Date(timeIntervalSince1970: 1_369_353_600)) == "20130524T000000Z")
    }

    @Test(arguments: ["", "a b", "a,b", "a/b", "a\r\nb", "é", String(repeating: "a", count: 257)])
    func `what cannot stand in the field is no id of keys`(id: String) {
        #expect(S3Keys(accessKeyID: id, secret: Secret("x")) == nil)
        #expect(S3Keys(accessKeyID: "AKID", secret: Secret("")) == nil)
    }

    @Test func `keys show no secret`() throws {
        let keys = try #require(S3Keys(accessKeyID: "AKID", secret: Secret("hidden1"), sessionToken: Secret("hidden2")))
        let signature = AWSSignature(keys: keys, region: "r")
        var dumped = ""
        dump(signature, to: &dumped)
        for text in ["\(keys)", String(reflecting: keys), "\(signature)", dumped] { #expect(!text.contains("hidden")) }
    }
}
