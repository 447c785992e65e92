internal import ChirpAccounts
internal import ChirpCore
internal import FoundationEssentials

extension ItemDraft {
    /// In characters.
    package static let mostTitle = 150
    package static let mostText = 5000
    package static let mostTag = 40
    package static let mostReason = 1000
    static let mostName = 60
    static let mostPlaceName = 200
    static let mostKey = 200

    /// The draft as it is written down: plain text, within its bounds.
    func checked() throws(ItemRefusal) -> ItemDraft {
        var draft = self
        for (field, name) in [("board", board), ("kind", kind), ("category", category)] {
            guard !name.isEmpty else { throw .empty(field: field) }
            guard name.utf8.count <= Self.mostName else { throw .tooLong(field: field, most: Self.mostName) }
        }
        guard !key.isEmpty else { throw .empty(field: "key") }
        guard key.utf8.count <= Self.mostKey else { throw .tooLong(field: "key", most: Self.mostKey) }
        draft.title = try Self.plain(title, "title", most: Self.mostTitle)
        guard !draft.title.isEmpty else { throw .empty(field: "title") }
        draft.text = try Self.plain(text, "text", most: Self.mostText, isOneLine: false)
        draft.placeName = try Self.plain(placeName, "place", most: Self.mostPlaceName)
        draft.tags = []
        for tag in tags {
            let tag = try Self.plain(tag, "tags", most: Self.mostTag)
            if !tag.isEmpty, !draft.tags.contains(tag) { draft.tags.append(tag) }
            guard draft.tags.count <= Self.mostTags else { throw .tooLong(field: "tags", most: Self.mostTags) }
        }
        // What is no language is none.
        draft.language = language.flatMap { language in
            let isOne = language.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            }
            return isOne && (2...35).contains(language.utf8.count) ? language : nil
        }
        guard pictures.count <= Self.mostPictures else { throw .tooMany(pictures: Self.mostPictures) }
        guard Set(pictures).count == pictures.count else { throw .tooMany(pictures: Set(pictures).count) }
        return draft
    }

    /// Bounded before it is cleaned, so that a text of ten megabytes costs nothing.
    static func plain(
        _ text: String, _ field: String, most: Int, isOneLine: Bool = true
    ) throws(ItemRefusal) -> String {
        guard text.utf8.count <= most * 16 else { throw .tooLong(field: field, most: most) }
        let plain = isOneLine ? PlainText(text, limit: most * 16).value : PlainText.lines(text, limit: most * 16)
        guard plain.isWithin(most) else { throw .tooLong(field: field, most: most) }
        return plain
    }
}
