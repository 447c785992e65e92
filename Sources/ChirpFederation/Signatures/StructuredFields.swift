internal import RawStructuredFieldValues

/// Structured fields (RFC 9651), within limits.
enum StructuredFields {
    /// Of one field with all its values; a signature of 8,192 bits and what it covers take some 2 KiB.
    static let mostBytes = 8 << 10
    /// Members of a dictionary, and items of a list within it.
    static let mostMembers = 32
    /// Members and parameters of a whole field. The parser compares each name with all before it.
    private static let mostNames = 128

    static func dictionary(
        _ text: String, of name: String
    ) throws(SignatureError) -> OrderedMap<String, ItemOrInnerList> {
        guard text.utf8.count <= mostBytes, names(of: text) <= mostNames else { throw .malformed(name) }
        var parser = StructuredFieldValueParser(Array(text.utf8))
        guard let members = try? parser.parseDictionaryFieldValue(), members.count <= mostMembers else {
            throw .malformed(name)
        }
        return members
    }

    /// No fewer than there are: what separates names may stand within texts, too.
    private static func names(of text: String) -> Int {
        text.utf8.reduce(1) { $0 + ($1 == UInt8(ascii: ",") || $1 == UInt8(ascii: ";") ? 1 : 0) }
    }

    /// A member in its one spelling.
    static func text(_ member: ItemOrInnerList) throws(SignatureError) -> String {
        var serializer = StructuredFieldValueSerializer()
        guard let bytes = try? serializer.writeListFieldValue([member]) else { throw .malformed("signature-input") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
