package import ChirpAccounts
package import ChirpBoards
package import ChirpCommunity
internal import ChirpCore
internal import FoundationEssentials

extension TrackDraft {
    /// What is wrong, one fault for each field; none when it can be offered.
    func faults(at now: Date) -> [TrackField: TrackFault] {
        var faults: [TrackField: TrackFault] = [:]
        for (field, text, most) in [
            (.title, title, Self.longestTitle), (.text, text, Self.longestText),
            (.versionName, versionName, Self.longestVersionName),
        ] as [(TrackField, String, Int)] where !text.isWithin(most) {
            faults[field] = .tooLong(most: most)
        }
        if PlainText(title).isEmpty { faults[.title] = .missing }
        if tags.count > ItemDraft.mostTags { faults[.tags] = .tooMany(most: ItemDraft.mostTags) }
        if !tags.allSatisfy({ $0.isWithin(ItemDraft.mostTag) }) { faults[.tags] = .tooLong(most: ItemDraft.mostTag) }
        if let until, until <= now { faults[.until] = .past }
        return faults
    }

    /// The same as the item that all boards have.
    ///
    /// - Parameters:
    ///   - preview: what others hear; nil until there is something.
    ///   - facts: what was found in it, by which it is found.
    package func item(of author: AccountID, key: String, preview: HubID?, facts: TrackFacts?) -> ItemDraft {
        var draft = ItemDraft(
            board: Beats.board, kind: kind.rawValue, author: author, key: key, title: PlainText(title).value,
            text: PlainText.lines(text), category: kind.rawValue)
        draft.state = .draft
        draft.language = language
        draft.tags = tags.map { PlainText($0).value }
        draft.clip = preview
        draft.pictures = cover.map { [$0] } ?? []
        draft.expires = until
        draft.words = TrackWords.words(price: price, tags: draft.tags, facts: facts)
        return draft
    }
}
