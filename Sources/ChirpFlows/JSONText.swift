internal import FoundationEssentials

/// Values as JSON text, always the same text for the same value.
enum JSONText {
    static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Levels may be infinite (silence); everything else of the encoded types is representable.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            preconditionFailure("a plain value did not encode: \(error)")
        }
    }

    /// Nil for text that an older or newer version has written differently.
    static func decode<T: Decodable>(_ type: T.Type, from text: String?) -> T? {
        guard let text else { return nil }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(type, from: Data(text.utf8))
    }
}
