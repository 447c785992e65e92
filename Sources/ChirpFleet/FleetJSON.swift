internal import FoundationEssentials

/// Values as the JSON of messages.
enum FleetJSON {
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Levels of silence are infinite; everything else of the encoded types is representable.
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
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(type, from: Data(bytes))
    }
}
