package import ChirpClips
internal import ChirpCore

/// The answer of `publish --json`, `encode --json` and `record --json`: a receipt, and how the run ends.
package struct ReceiptDocument: Encodable {
    private let receipt: Receipt

    package init(_ receipt: Receipt) {
        var receipt = receipt
        receipt.notes = receipt.notes.map(\.worded)
        self.receipt = receipt
    }

    private enum Key: String, CodingKey {
        case v, event, exit
    }

    /// The receipt's fields stand beside those of the envelope.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .v)
        try container.encode("result", forKey: .event)
        try container.encode(ExitCode.done.rawValue, forKey: .exit)
        try receipt.encode(to: encoder)
    }
}
