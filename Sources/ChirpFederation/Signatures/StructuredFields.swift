internal import RawStructuredFieldValues

/// Structured fields (RFC 9651), within limits.
enum StructuredFields {
    /// Of one field with all its values; a signature of 8,192 bits and what it covers take some 2 KiB.
    static let mostBytes = 8 << 10
    /// Members of a dictionary, and items of a list within it.
    static let mostMembers = 32

    static func dictionary(
        _ text: String, of name: String
    ) throws(SignatureError) -> OrderedMap<String, ItemOrInnerList> {
        guard text.utf8.count <= mostBytes else { throw .malformed(name) }
        var parser = StructuredFieldValueParser(Array(text.utf8))
        guard let members = try? parser.parseDictionaryFieldValue(), members.count <= mostMembers else {
            throw .malformed(name)
        }
        return members
    }

    /// A member in its one spelling.
    static func text(_ member: ItemOrInnerList) throws(SignatureError) -> String {
        var serializer = StructuredFieldValueSerializer()
        guard let bytes = try? serializer.writeListFieldValue([member]) else { throw .malformed("signature-input") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
