internal import ChirpAccounts

/// The ranges of numbers that users give, in one place for flags and configuration.
package struct Limits<Value: Comparable & Sendable>: Sendable {
    let range: ClosedRange<Value>
    /// Completes "it needs".
    package let needs: String

    package func accepts(_ value: Value) -> Bool { range.contains(value) }
}

extension Limits where Value == Double {
    /// LUFS. Below, nothing is heard beside others; above, the limiter would flatten everything.
    package static var target: Self { Limits(range: -50...(-5), needs: "a loudness from -50 to -5 LUFS, such as -16") }
}

extension Limits where Value == Int {
    /// The steps of ISO 11172-3 and 13818-3 lie in here; the encoder knows which fits the sample rate.
    static var bitrate: Self { Limits(range: 8...320, needs: "a rate from 8 to 320 kbps, such as 128") }
    static var vbr: Self { Limits(range: 0...9, needs: "a quality from 0 (best) to 9, such as 2") }
    package static var jobs: Self { Limits(range: 1...256, needs: "a number of threads from 1 to 256") }
    /// More copies than five only make the queue slower (JetStream's own limit).
    package static var replicas: Self { Limits(range: 1...5, needs: "a number of copies from 1 to 5, such as 3") }
    package static var port: Self {
        Limits(range: 0...65535, needs: "a port from 1 to 65535, such as 4747 (0: any free one)")
    }
}

extension Limits where Value == String {
    package static var url: String { "an address that begins with http:// or https://, without a name and password" }
    static func isURL(_ text: String) -> Bool {
        let rest = ["https://", "http://"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
        return rest?.isEmpty == false && rest?.prefix { $0 != "/" && $0 != "?" }.contains("@") == false
            && text.unicodeScalars.allSatisfy { $0.value > 32 && $0.value < 127 }
    }

    static var nameless: String { "addresses without names and passwords, such as nats://queue.example.org:4222" }
    /// Names and passwords belong into a file (``FleetServers``).
    static func namesNobody(_ servers: String) -> Bool { !servers.contains("@") }

    static func isMailAddress(_ text: String) -> Bool { (try? MailAddress(typed: text))?.text.isEmpty == false }
}
