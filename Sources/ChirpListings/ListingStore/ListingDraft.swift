internal import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpPlaces
package import FoundationEssentials

/// What somebody lists as lost or found, or makes of what is listed already.
package struct ListingDraft: Hashable, Sendable {
    package var side: Listing.Side
    package var category: Listing.Category
    package var title: String
    /// May be empty where a clip says it.
    package var text = ""
    /// As in `en`.
    package var language: String?
    /// The place itself; nil: it is known by its name alone.
    package var point: GeoPoint?
    package var precision = PositionPrecision.near
    /// As everybody may know it.
    package var placeName = ""
    /// Of the town that it is in, for ``PositionPrecision/town``.
    package var town: GeoPoint?
    package var happenedFrom: Date?
    /// The same as from: a moment.
    package var happenedTo: Date?
    package var handover = Listing.Handover.agree
    package var reward = ""
    package var phone = ""
    package var question = ""
    package var clip: HubID?
    package var pictures: [HubID] = []

    package init(side: Listing.Side, category: Listing.Category, title: String) {
        self.side = side
        self.category = category
        self.title = title
    }

    /// Characters.
    package static let longestTitle = 100
    package static let longestText = 5000
    package static let longestReward = 100
    package static let longestQuestion = 200
    package static let longestPlace = 120
    /// Nobody lists what was lost longer ago than this, in seconds.
    static let farthestPast = 20 * 365.25 * 24 * 3600
    /// Clocks differ, and so do zones where nobody has said which.
    static let farthestFuture = 24 * 3600.0

    /// What is wrong, field by field; none when it can be listed.
    package func faults(at now: Date) -> [ListingField: ListingFault] {
        var faults: [ListingField: ListingFault] = [:]
        for (field, text, most) in [
            (.title, title, Self.longestTitle), (.text, text, Self.longestText), (.reward, reward, Self.longestReward),
            (.question, question, Self.longestQuestion), (.place, placeName, Self.longestPlace),
        ] as [(ListingField, String, Int)] {
            if !text.isWithin(most) { faults[field] = .tooLong(most: most) }
            // Answers come through the hub: whoever writes an address here gives it to those who gather them.
            if Self.hasMailAddress(text) { faults[field] = .mailAddress }
        }
        if PlainText(title).isEmpty { faults[.title] = .missing }
        if PlainText(text).isEmpty, clip == nil { faults[.text] = .noWords }
        if point == nil, PlainText(placeName).isEmpty { faults[.place] = .missing }
        if !phone.isEmpty, !Self.isPhone(phone) { faults[.phone] = .noPhone }
        if pictures.count > ItemDraft.mostPictures { faults[.pictures] = .tooMany(most: ItemDraft.mostPictures) }
        faults.merge(timeFaults(at: now)) { first, _ in first }
        return faults
    }

    private func timeFaults(at now: Date) -> [ListingField: ListingFault] {
        guard let from = happenedFrom else { return happenedTo == nil ? [:] : [.from: .missing] }
        let to = happenedTo ?? from
        if from > to { return [.to: .backwards] }
        if to.timeIntervalSince(now) > Self.farthestFuture { return [to == from ? .from : .to: .inFuture] }
        if now.timeIntervalSince(from) > Self.farthestPast { return [.from: .longAgo] }
        return [:]
    }

    /// Digits as people write them, 5 to 20 of them.
    private static func isPhone(_ text: String) -> Bool {
        let digits = text.utf8.count { (0x30...0x39).contains($0) }
        return (5...20).contains(digits) && text.utf8.count <= 40
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+ ()-./".utf8.contains($0) }
    }

    private static func hasMailAddress(_ text: String) -> Bool {
        text.split(whereSeparator: { $0.isWhitespace || "<>()[],;:\"'".contains($0) }).contains { word in
            let parts = word.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return false }
            let labels = parts[1].split(separator: ".")
            return labels.count >= 2 && labels.allSatisfy { $0.contains { $0.isLetter || $0.isNumber } }
        }
    }

    /// The same as the item that all boards have. White space and controls are as in all texts from outside.
    func item(of author: AccountID, key: String, expires: Date) -> ItemDraft {
        var draft = ItemDraft(
            board: ListingStore.board, kind: side.rawValue, author: author, key: key, title: PlainText(title).value,
            text: PlainText.lines(text), category: category.rawValue)
        draft.language = language
        draft.expires = expires
        draft.point = point
        draft.precision = precision
        draft.placeName = PlainText(placeName).value
        draft.town = town
        draft.clip = clip
        draft.pictures = pictures
        if !reward.isEmpty { draft.words = ["zrreward"] }
        return draft
    }
}

extension Listing.Category {
    /// After how many days a listing ends that nobody renews (LF-13). Pets are looked for longer, and so is what has a number or a name in it.
    package var days: Int {
        switch self {
        case .pets: 90
        case .documents, .jewellery, .vehicles, .instruments: 120
        default: 60
        }
    }
}
