import ChirpCore
import ChirpPush
import Crypto
import Testing

/// Encryption for browsers.
@Suite struct PushCipherTests {
    /// RFC 8291, section 5 and appendix A.
    private enum Example {
        static let key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
        static let sender = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
        static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
        static let content = "When I grow up, I want to be a watermelon"
        static let body =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    }

    private func subscription() throws -> PushSubscription {
        try PushSubscription(endpoint: "https://push.example.net/x", key: Example.key, secret: Example.secret)
    }

    @Test func `the example of RFC 8291 comes out byte for byte`() throws {
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: try #require(Base64URL.decode(Example.sender)))
        let body = try PushCipher.seal(
            Array(Example.content.utf8), for: subscription(), isPadded: false, sender: sender,
            salt: try #require(Base64URL.decode(Example.salt)))
        #expect(body.base64URL == Example.body)
    }

    @Test func `no two messages are alike, and their length says little`() throws {
        let (one, two) = (
            try PushCipher.seal([1], for: subscription()),
            try PushCipher.seal([UInt8](repeating: 1, count: 255), for: subscription())
        )
        #expect(one != two && one.count == two.count)
        #expect(try PushCipher.seal([1], for: subscription()) != one)
    }

    @Test func `the longest content makes what every service takes, and a longer one is refused`() throws {
        let longest = [UInt8](repeating: 65, count: PushCipher.most)
        #expect(try PushCipher.seal(longest, for: subscription()).count == 4096)
        #expect(throws: PushCipher.Fault.tooLong) { try PushCipher.seal(longest + [65], for: subscription()) }
    }

    @Test(arguments: [
        "http://push.example.net/x", "ftp://push.example.net/x", "push.example.net/x", "",
        "https://me:pass@push.example.net/x", "http://127.0.0.1:8080/x",
        "https://push.example.net/" + String(repeating: "x", count: 1000),
    ])
    func `an endpoint that is no https address is refused`(endpoint: String) {
        #expect(throws: PushSubscriptionFault.endpoint) {
            try PushSubscription(endpoint: endpoint, key: Example.key, secret: Example.secret)
        }
    }

    @Test func `keys are checked, and padding is taken off`() throws {
        let endpoint = "https://push.example.net/x"
        #expect(
            try PushSubscription(endpoint: endpoint, key: Example.key + "=", secret: Example.secret + "==").secret.count
                == 16)
        let offCurve = "B" + String(Example.key.dropFirst().reversed())
        for key in ["", "AAAA", offCurve, String(repeating: "A", count: 2000), "+/+/"] {
            #expect(throws: PushSubscriptionFault.key) {
                try PushSubscription(endpoint: endpoint, key: key, secret: Example.secret)
            }
        }
        for secret in ["", "AAAA", Example.key, "%%%"] {
            #expect(throws: PushSubscriptionFault.secret) {
                try PushSubscription(endpoint: endpoint, key: Example.key, secret: secret)
            }
        }
    }
}
