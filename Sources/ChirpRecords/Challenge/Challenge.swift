internal import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpPlaces
package import FoundationEssentials

/// A rule that anybody may try to beat, as an entry of the board: what all entries have, and the rule as it stands now.
package struct Challenge: Hashable, Sendable, Identifiable {
    package let item: Item
    /// The newest version; the only one that takes attempts.
    package let rule: Rule

    package var id: HubID { item.id }
    /// Nil for one of a later release.
    package var category: Category? { Category(rawValue: item.category) }

    package enum Category: String, Hashable, Sendable, CaseIterable {
        case speed, endurance, strength, skill, sound, games, food, craft, animals, other
    }
}

/// What a viewer finds at a challenge's address.
package enum ChallengeSight: Hashable, Sendable {
    case challenge(Challenge)
    case gone(Item.State, since: Date?)
}

/// What somebody says of a challenge beside its rule.
package struct ChallengeDraft: Hashable, Sendable {
    package var category: Challenge.Category
    package var title: String
    /// May be empty: the rule says what is to be done.
    package var text = ""
    /// As in `en`.
    package var language: String?
    /// The place itself.
    package var point: GeoPoint?
    package var precision = PositionPrecision.near
    /// As everybody may know it.
    package var placeName = ""
    /// Of the town that it is in, for ``PositionPrecision/town``.
    package var town: GeoPoint?
    package var clip: HubID?
    package var pictures: [HubID] = []

    package init(category: Challenge.Category, title: String) {
        self.category = category
        self.title = title
    }

    /// Characters.
    package static let longestTitle = 100
    package static let longestText = 5000
    package static let longestPlace = 120

    /// What is wrong, one fault for each field; none when it can be told.
    func faults(_ place: RuleTerms.PlaceRule) -> [ChallengeField: ChallengeFault] {
        var faults: [ChallengeField: ChallengeFault] = [:]
        for (field, text, most) in [
            (.title, title, Self.longestTitle), (.text, text, Self.longestText), (.place, placeName, Self.longestPlace),
        ] as [(ChallengeField, String, Int)] where !text.isWithin(most) {
            faults[field] = .tooLong(most: most)
        }
        if PlainText(title).isEmpty { faults[.title] = .missing }
        if pictures.count > ItemDraft.mostPictures { faults[.pictures] = .tooMany(most: ItemDraft.mostPictures) }
        if place == .here, faults[.place] == nil {
            if point == nil { faults[.place] = .missing } else if precision != .exact { faults[.place] = .notExact }
        }
        return faults
    }

    /// The same as the item that all boards have, found also by what is measured and whether it is an event.
    func item(of author: AccountID, key: String, _ terms: RuleTerms) -> ItemDraft {
        var draft = ItemDraft(
            board: Records.board, kind: Records.kind, author: author, key: key, title: PlainText(title).value,
            text: PlainText.lines(text), category: category.rawValue)
        draft.language = language
        draft.point = point
        draft.precision = precision
        draft.placeName = PlainText(placeName).value
        draft.town = town
        draft.clip = clip
        draft.pictures = pictures
        draft.words = terms.words
        draft.expires = terms.event?.closing
        return draft
    }
}

extension RuleTerms {
    /// What a challenge with this rule is found by beside its text.
    var words: [String] { [Self.word(measure), Self.word(place)] + (event == nil ? [] : [Self.eventWord]) }

    static let eventWord = "zrevent"

    static func word(_ measure: Measure) -> String { "zr\(measure.rawValue)" }
    static func word(_ place: PlaceRule) -> String { "zr\(place.rawValue)" }
}

/// Why a challenge was not set or changed.
package enum ChallengeRefusal: Error, Hashable, Sendable {
    case fields([ChallengeField: ChallengeFault])
    case item(ItemRefusal)
    /// Somebody has tried it: its setter changes the rule no more, nor takes it back.
    case attempted
    /// Somebody has changed the rule meanwhile: the version that it has now.
    case changed(version: Int)
    /// For moderators alone.
    case notAllowed

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as ChallengeRefusal: self = error
        case let error as ItemRefusal: self = .item(error)
        case let error as LibraryError: self = .item(.library(error))
        default: self = .item(.library(.inputOutput(path: Records.board, reason: "\(error)")))
        }
    }
}
