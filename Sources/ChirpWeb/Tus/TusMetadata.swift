internal import FoundationEssentials

/// What a sender says of an upload (`Upload-Metadata`): names, each with bytes in Base64, which are mostly text.
package struct TusMetadata: Hashable, Sendable {
    /// As it was written.
    package let text: String
    private let values: [String: [UInt8]]

    /// More than this is nobody's metadata.
    static let mostBytes = 6000
    static let mostNames = 40

    /// Nil when it is not as the protocol wants it: pairs with commas between them, each a name of visible ASCII that is there once,
    /// and perhaps a space and Base64 with its padding.
    package init?(_ text: String) {
        self.text = text
        guard text.utf8.count <= Self.mostBytes else { return nil }
        guard !text.isEmpty else {
            values = [:]
            return
        }
        var values: [String: [UInt8]] = [:]
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = pair.drop { $0 == " " }.split(separator: " ", omittingEmptySubsequences: false)
            guard let name = parts.first.map(String.init), !name.isEmpty, parts.count <= 2,
                name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), values[name] == nil,
                values.count < Self.mostNames
            else { return nil }
            guard parts.count == 2, !parts[1].isEmpty else {
                values[name] = []
                continue
            }
            guard let bytes = Data(base64Encoded: String(parts[1])) else { return nil }
            values[name] = [UInt8](bytes)
        }
        self.values = values
    }

    /// What a name stands for; nil when it is not there or no UTF-8.
    package subscript(_ name: String) -> String? { values[name].flatMap { String(validating: $0, as: UTF8.self) } }
}
