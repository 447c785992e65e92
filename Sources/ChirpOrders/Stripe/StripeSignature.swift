internal import Crypto
package import ChirpCore
package import FoundationEssentials

/// Checks who sent a message: `t=<seconds>,v1=<hexadecimal>`, the HMAC-SHA256 of `<seconds>.<content>` under the secret of the endpoint
/// (docs.stripe.com/webhooks, "Verify webhook signatures manually"). Accepts and refuses exactly as their own Python library does, which
/// `Tests/Peers/stripe_orders.py` shows.
package struct StripeSignature: Sendable {
    private let secrets: [Secret]
    private let tolerance: Int64

    /// - Parameters:
    ///   - secrets: several while one is exchanged for another.
    ///   - tolerance: how many seconds ago it may have been signed.
    package init(secrets: [Secret], tolerance: Int64 = 300) {
        self.secrets = secrets
        self.tolerance = tolerance
    }

    /// - Parameters:
    ///   - header: `Stripe-Signature`.
    ///   - content: byte by byte as it came.
    package func check(_ header: String, of content: [UInt8], now: Date) throws(SignatureFault) {
        guard header.utf8.count <= 4096 else { throw .malformed }
        let (time, signatures) = try Self.parts(of: header)
        guard !signatures.isEmpty else { throw .missing }
        let signed = Array("\(time).".utf8) + content
        var isRight = false
        // All are looked at, so that the time it takes tells nothing.
        for secret in secrets where secret.reveal().utf8.contains(where: { $0 > 0x20 }) {
            let expected = Self.code(of: signed, secret)
            for signature in signatures where Self.isSame(expected, signature) { isRight = true }
        }
        guard isRight else { throw .wrong }
        guard Double(time) >= now.timeIntervalSince1970 - Double(tolerance) else { throw .old }
    }

    /// What signs content at an instant: for services that send.
    package static func header(for content: [UInt8], secret: Secret, at time: Int64) -> String {
        "t=\(time),v1=\(String(decoding: code(of: Array("\(time).".utf8) + content, secret), as: UTF8.self))"
    }

    /// The time, and all signatures of the one kind that is known.
    private static func parts(of header: String) throws(SignatureFault) -> (Int64, [[UInt8]]) {
        var time: Int64?
        var signatures: [[UInt8]] = []
        for item in Array(header.utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let fields = item.split(
                separator: UInt8(ascii: "="), maxSplits: 2, omittingEmptySubsequences: false)
            let isTime = fields[0].elementsEqual("t".utf8)
            guard isTime || fields[0].elementsEqual("v1".utf8) else { continue }
            guard fields.count > 1 else { throw .malformed }
            if !isTime {
                signatures.append(Array(fields[1]))
            } else if time == nil {
                guard let number = number(fields[1]) else { throw .malformed }
                time = number
            }
        }
        guard let time else { throw .malformed }
        return (time, signatures)
    }

    /// A whole number as that library reads it: with white space around it, a sign, and single low lines between digits.
    private static func number(_ text: ArraySlice<UInt8>) -> Int64? {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) || (0x1C...0x1F).contains(byte) }
        var digits = Array(Array(text.drop(while: isSpace)).reversed().drop(while: isSpace).reversed())
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        guard digits.first != UInt8(ascii: "_"), digits.last != UInt8(ascii: "_") else { return nil }
        let groups = digits.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        guard groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
        let value = String(decoding: groups.joined(), as: UTF8.self).safeInteger
        return value.map { isNegative ? -$0 : $0 }
    }

    /// In hexadecimal.
    private static func code(of content: [UInt8], _ secret: Secret) -> [UInt8] {
        let key = SymmetricKey(data: Array(secret.reveal().utf8))
        let digits = Array("0123456789abcdef".utf8)
        return HMAC<SHA256>.authenticationCode(for: content, using: key).flatMap {
            [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
        }
    }

    /// Takes the same time whatever differs.
    private static func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
