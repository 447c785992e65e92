internal import FoundationEssentials

/// Many whole numbers that JSON has as one text: the base64 of their bytes, the least significant first (RFC 4648). A track of three
/// minutes has 8,700, and `JSONDecoder` reading one by one took a quarter of all that a hub did when somebody offered a track.
///
/// What an earlier release has written as a list is read as well.
@propertyWrapper
package struct NumberText<Number: FixedWidthInteger & Codable & Hashable & Sendable>: Hashable, Sendable, Codable {
    package var wrappedValue: [Number]

    package init(wrappedValue: [Number]) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let text = try? container.decode(String.self) else {
            wrappedValue = try container.decode([Number].self)
            return
        }
        let width = MemoryLayout<Number>.size
        guard let bytes = Data(base64Encoded: text), bytes.count.isMultiple(of: width) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no base64 of whole numbers")
        }
        // Bytes are copied as they are: number by number, in code for those of any width, it took a fifth of offering a track.
        let numbers = [Number](unsafeUninitializedCapacity: bytes.count / width) { room, count in
            count = bytes.copyBytes(to: room) / width
        }
        wrappedValue = Self.areInOrder ? numbers : numbers.map { Number(littleEndian: $0) }
    }

    /// Whether this machine has the least significant byte first, as nearly all do.
    private static var areInOrder: Bool { UInt16(1).littleEndian == 1 }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let numbers = Self.areInOrder ? wrappedValue : wrappedValue.map(\.littleEndian)
        let bytes = numbers.withUnsafeBytes { Data($0) }
        try container.encode(bytes.base64EncodedString())
    }
}
