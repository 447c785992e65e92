import ChirpAccounts
import ChirpBeats
import ChirpHub
import ChirpListings
import ChirpRecords
import Foundation
import HubHousehold
import Testing

/// What the conformance suite has to know of a board to try it: how something is listed there, looked for, changed and ended. Whoever adds a
/// board adds one of these; the suite fails for a board that has none.
struct BoardSample: Sendable, CustomTestStringConvertible {
    /// As ``Boards/names`` has it.
    let name: String
    /// What is sent to the board's address of its interface, without the key.
    let fields: [String: String]
    /// Fields in which anything may be written.
    let texts: [String]
    /// The name of the list in an answer with several.
    let list: String
    /// What brings one to a good end.
    let ending: (act: String, fields: [String: String])
    /// What takes one back.
    let withdrawal: (act: String, fields: [String: String])
    /// People say something about what is listed there.
    var hasComments = false
    /// They vote on it.
    var hasVotes = false
    /// Addresses to which anybody sends something that is looked at and kept nowhere.
    var questions: Set<String> = []
    /// What has to be there before somebody lists something, and further fields that name it. Asked with her token.
    var further: @Sendable (HubHousehold, _ token: String) async throws -> [String: String] = { _, _ in [:] }

    var api: String { "/api/hub/v1/\(name)" }
    var page: String { "/\(name)" }
    var testDescription: String { name }

    static let all = [
        BoardSample(
            name: ListingStore.board,
            fields: [
                "side": "lost", "category": "keys", "title": "Zinnober keys", "text": "Five of them, with a whistle.",
                "at": "50.7339,7.0997", "precision": "near",
            ], texts: ["title", "text", "reward", "question"], list: "listings",
            ending: ("closure", ["outcome": "found"]),
            withdrawal: ("withdrawal", ["reason": "By mistake", "sure": "yes"])),
        // An event, since a challenge without an end lasts for ever.
        BoardSample(
            name: Records.board,
            fields: [
                "template": "mostInAMinute", "category": "skill", "title": "Zinnober claps",
                "text": "With both hands, in a minute.", "at": "50.7339,7.0997", "precision": "near",
                "begins": "2027-01-14T00:00:00Z", "ends": "2027-12-31T00:00:00Z",
            ], texts: ["title", "text", "invalid"], list: "challenges", ending: ("closure", [:]),
            withdrawal: ("withdrawal", ["reason": "By mistake", "sure": "yes"]), hasComments: true, hasVotes: true),
        // One that is offered until a day, since a track without one is offered for ever.
        BoardSample(
            name: Beats.board,
            fields: [
                "kind": "beat", "title": "Zinnober beat", "text": "Slow, with a whistle.", "price": "amount",
                "amount": "29.90", "currency": "EUR", "until": "2027-12-31",
            ], texts: ["title", "text", "tags", "versionName"], list: "tracks", ending: ("closure", [:]),
            withdrawal: ("withdrawal", ["reason": "By mistake", "sure": "yes"]), hasComments: true,
            // A licence on paper, compared with the one that was granted.
            questions: ["/beats/licences/:id"],
            further: { try await $0.producer(token: $1) }),
    ]

    /// Boards with comments; one of the tests, so that what they have in common is tried before a hub has one.
    static let commented =
        all.filter(\.hasComments) + [
            BoardSample(
                name: AtticBoard.name, fields: ["title": "Zinnober keys"], texts: ["title"], list: "things",
                ending: ("closure", [:]), withdrawal: ("withdrawal", [:]), hasComments: true)
        ]

    /// Boards with votes, the same.
    static let voted =
        all.filter(\.hasVotes) + [
            BoardSample(
                name: AtticBoard.name, fields: ["title": "Zinnober keys"], texts: ["title"], list: "things",
                ending: ("closure", [:]), withdrawal: ("withdrawal", [:]), hasVotes: true)
        ]
}
