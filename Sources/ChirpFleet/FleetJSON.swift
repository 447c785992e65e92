internal import ChirpCore
internal import FoundationEssentials

/// Values as the JSON of messages.
enum FleetJSON {
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // None is infinite; one that were is refused by the reader instead of ending the writer.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return [UInt8](try encoder.encode(value))
        } catch {
            preconditionFailure("a plain value did not encode: \(error)")
        }
    }

    /// Nil for what is not of the type: messages come from strangers.
    static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) -> T? {
        // No number of a record or a result is infinite, so text in place of one is not accepted.
        try? UntrustedJSON.decode(type, from: bytes, .answer)
    }
}
