import ChirpAccounts
import ChirpCommunity
import ChirpListings
import ChirpPlaces
import Foundation
import GRDB

/// Writes listings as people write them: pairs of both sides of one thing, and one side of things that nobody answers.
struct PairFiller: Sendable {
    let library: HubLibrary
    let towns: Towns
    let options: Options

    /// Both sides of each pair, by id.
    struct Pair: Sendable {
        let lost, found: HubID
        let language: String
    }

    /// Writes the pairs, or finds those that are there from the same number.
    func addPairs() async throws -> [Pair] {
        let store = ListingStore(library: library)
        var pairs: [Pair] = []
        for number in 0..<options.pairs {
            var generator = SplitMix(seed: options.seed &* 7_919_003 &+ UInt64(number))
            let (wording, town) = anywhere(using: &generator)
            let thing = Thing(in: wording, using: &generator)
            let drafts = drafts(of: thing, in: town, using: &generator)
            let (accounts, seed) = (options.accounts, options.seed)
            pairs.append(
                try await library.transact { database in
                    let ids = try [drafts.lost, drafts.found].enumerated().map { side, draft in
                        try store.create(
                            draft, by: AccountID(rawValue: "load\((2 * number + side) % accounts)"),
                            key: "pair:\(seed):\(number):\(side)", in: database)
                    }
                    return Pair(lost: ids[0], found: ids[1], language: wording.language)
                })
        }
        return pairs
    }

    /// One side of something that has no other.
    func alone(using generator: inout SplitMix) -> ListingDraft {
        let (wording, town) = anywhere(using: &generator)
        let thing = Thing(in: wording, using: &generator)
        let drafts = drafts(of: thing, in: town, using: &generator)
        return Bool.random(using: &generator) ? drafts.lost : drafts.found
    }

    /// A country writes in one language: German where it does, and elsewhere in either.
    private func anywhere(using generator: inout SplitMix) -> (Wording, Towns.Town) {
        let town = towns.any(using: &generator)
        let isGerman =
            ["DE", "AT", "CH", "LI"].contains(town.country)
            || town.country.utf8.reduce(0) { $0 &+ $1 }.isMultiple(of: 2)
        return (isGerman ? .german : .english, town)
    }

    /// Lost within the last month, found an hour to ten days later, and 100 m to 5 km away.
    private func drafts(
        of thing: Thing, in town: Towns.Town, using generator: inout SplitMix
    ) -> (lost: ListingDraft, found: ListingDraft) {
        let lost = moved(
            town.point, north: .random(in: -4000...4000, using: &generator),
            east: .random(in: -4000...4000, using: &generator))
        let way = 100 * pow(50, Double.random(in: 0...1, using: &generator))
        let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
        let found = moved(lost, north: way * cos(angle), east: way * sin(angle))
        let gap = 3600 * pow(240, Double.random(in: 0...1, using: &generator))
        let now = library.now()
        let lostAt = now.addingTimeInterval(-gap - .random(in: 0...20 * 86_400, using: &generator))
        let sides: [(Listing.Side, GeoPoint, Date)] = [
            (.lost, lost, lostAt), (.found, found, lostAt.addingTimeInterval(gap)),
        ]
        let drafts = sides.map { side, point, time -> ListingDraft in
            let text = thing.text(isLost: side == .lost, using: &generator)
            var draft = ListingDraft(
                side: side, category: Listing.Category(rawValue: text.category) ?? .other, title: text.title)
            draft.text = text.text
            draft.language = thing.wording.language
            draft.point = point
            draft.precision = PositionPrecision.allCases.randomElement(using: &generator) ?? .near
            draft.town = town.point
            draft.placeName = "\(town.name), \(town.country)"
            // The moment, some hours, the day, or nothing.
            let span: Double? = [0, 4 * 3600, 86_400, nil].randomElement(using: &generator) ?? nil
            if let span {
                draft.happenedFrom = time.addingTimeInterval(-span * .random(in: 0...1, using: &generator))
                draft.happenedTo = min(now, draft.happenedFrom?.addingTimeInterval(span) ?? now)
            }
            return draft
        }
        return (drafts[0], drafts[1])
    }

    /// So many metres away.
    private func moved(_ point: GeoPoint, north: Double, east: Double) -> GeoPoint {
        let metres = 111_195.0
        let latitude = max(-89, min(89, point.latitude + north / metres))
        return GeoPoint(
            nearLatitude: latitude, longitude: point.longitude + east / metres / cos(latitude * .pi / 180))
    }
}
