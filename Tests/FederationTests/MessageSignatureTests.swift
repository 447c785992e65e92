import ChirpFederation
import ChirpHTTP
import Foundation
import Testing

/// RFC 9421 by its own examples.
@Suite struct MessageSignatureTests {
    @Test(arguments: ExampleSignature.all)
    func `each example of the standard is found right, and with anything else wrong`(
        example: ExampleSignature
    ) throws {
        let message = example.signed
        let signature = try #require(try MessageSignature.all(in: message).first)
        let base = try signature.base(of: message)
        #expect(signature.label == example.label && example.input.contains(";created=\(signature.created ?? 0);"))
        #expect(base.hasSuffix("\"@signature-params\": \(example.input)"))
        #expect(signature.isMade(by: try ExampleKeys.key(example.key), over: base))
        #expect(!signature.isMade(by: try ExampleKeys.key(example.key), over: base + " "))
        for other in ["test-key-rsa", "test-key-rsa-pss", "test-key-ecc-p256", "test-key-ed25519", "shared"]
        where other != example.key && !(other == "shared" && example.key == "test-shared-secret") {
            #expect(!signature.isMade(by: try ExampleKeys.key(other), over: base))
        }
    }

    @Test func `a base is what the standard shows`() throws {
        let full = try #require(ExampleSignature.all.first { $0.section == "B.2.3" })
        let signature = try #require(try MessageSignature.all(in: full.signed).first)
        let lines = try signature.base(of: full.signed).split(separator: "\n")
        #expect(lines.count == 9)
        #expect(lines[0] == "\"date\": Tue, 20 Apr 2021 02:07:55 GMT" && lines[1] == "\"@method\": POST")
        #expect(lines[2] == "\"@path\": /foo" && lines[3] == "\"@query\": ?param=Value&Pet=dog")
        #expect(lines[4] == "\"@authority\": example.com" && lines[7] == "\"content-length\": 18")
    }

    /// Section 2.1.3, 2.1.2 and 2.2.8.
    @Test(arguments: [
        ("\"example-dict\";key=\"a\"", "1"), ("\"example-dict\";key=\"d\"", "?1"),
        ("\"example-dict\";key=\"b\"", "2;x=1;y=2"), ("\"example-dict\";key=\"c\"", "(a b c)"),
        ("\"example-header\"", "value, with, lots, of, commas"),
        ("\"example-header\";bs", ":dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:"),
        ("\"@query-param\";name=\"var\"", "this%20is%20a%20big%0Amultiline%20value"),
        ("\"@query-param\";name=\"bar\"", "with%20plus%20whitespace"),
        ("\"@query-param\";name=\"fa%C3%A7ade%22%3A%20\"", "something"),
        ("\"@target-uri\"", "https://www.example.com/parameters?\(query)"), ("\"@scheme\"", "https"),
        ("\"@request-target\"", "/parameters?\(query)"), ("\"@authority\"", "www.example.com"),
    ])
    func `parts of a message have the values of the standard`(part: String, value: String) throws {
        #expect(try line(part) == "\(part): \(value)")
    }

    private static let query =
        "var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something"

    @Test(arguments: [
        "\"@query-param\";name=\"twice\"", "\"@query-param\"", "\"absent\"", "\"@status\"", "\"@unknown\"",
        "\"Upper\"", "\"\"", "token", "1", "\"@method\";req", "\"a\";sf", "\"a\";tr", "\"@signature-params\"",
        "\"example-dict\";key=\"none\"", "\"example-dict\";key=\"a\";bs", "\"@method\" \"@method\"",
    ])
    func `parts that are not there, or not known, are errors`(part: String) throws {
        #expect(throws: SignatureError.self) { try line(part) }
    }

    private func line(_ part: String) throws -> String {
        var headers: HTTPHeaders = [
            "Example-Dict": "  a=1,    b=2;x=1;y=2,   c=(a   b   c), d", "Example-Header": "value, with, lots",
        ]
        headers.append("of, commas", for: "Example-Header")
        headers.append("sig=(\(part));created=1", for: "Signature-Input")
        headers.append("sig=:AAAA:", for: "Signature")
        let message = SignedMessage(
            method: "GET",
            address: WebAddress(
                "https://www.example.com/parameters?" + Self.query + (part.contains("twice") ? "&twice=1&twice=2" : "")),
            headers: headers)
        let signature = try #require(try MessageSignature.all(in: message).first)
        return String(try signature.base(of: message).prefix { $0 != "\n" })
    }
}
