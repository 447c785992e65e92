internal import ChirpFlows

/// A place below a root as it travels: relative, plain, and as text whatever its bytes are.
///
/// Bytes other than printable ASCII, and `%`, are written `%E9`. Decoding refuses what could lead out: empty parts, `.`, `..`,
/// a slash at the beginning, zeros, and more than 4096 bytes (`PATH_MAX`).
package struct FleetPath: Hashable, Sendable, Codable {
    package let bytes: [UInt8]

    private static let slash = UInt8(ascii: "/")

    /// - Returns: nil for what is not beneath.
    package init?(_ bytes: [UInt8]) {
        guard (1...4096).contains(bytes.count), !bytes.contains(0) else { return nil }
        for part in bytes.split(separator: Self.slash, omittingEmptySubsequences: false) {
            guard !part.isEmpty, !part.elementsEqual(".".utf8), !part.elementsEqual("..".utf8) else { return nil }
        }
        self.bytes = bytes
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let path = Self.decoded(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no plain path"))
        }
        self = path
    }

    package func encode(to encoder: any Encoder) throws {
        var text = ""
        for byte in bytes {
            if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "%") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    private static func decoded(_ text: String) -> FleetPath? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        guard rest.count <= 3 * 4096 else { return nil }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else { return nil }
                rest.removeFirst(2)
                bytes.append(value)
            } else {
                guard (0x20...0x7E).contains(byte) else { return nil }
                bytes.append(byte)
            }
        }
        return FleetPath(bytes)
    }

    /// The parts from the top down; one or more.
    package var parts: [[UInt8]] { bytes.split(separator: Self.slash).map(Array.init) }

    /// As people read it.
    package var text: String { BatchPath(bytes).text }
}
