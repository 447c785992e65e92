internal import ChirpAccounts
internal import ChirpCore

/// What the owner of a hub can choose from, for the settings and for the parts of the hub that follow them.
package enum HubChoices {
    /// The boards, by the names in their addresses.
    package static let boards = ["lost-and-found", "challenges", "beats"]
    /// Currencies of the board of beats, by their codes.
    package static let currencies = ["EUR", "USD", "GBP", "CHF", "JPY"]
    /// The most characters of each text of the owner on `/about`.
    package static let longestWords = 5000
    /// The most that may be pledged at once on the board of challenges.
    package static let greatestStake: Int64 = 1_000_000_000
    /// Characters of the unit that pledges are counted in.
    package static let longestUnit = 40

    /// Whether pledges can be counted in a unit: one line of plain text.
    package static func isUnit(_ text: String) -> Bool {
        let plain = PlainText(text).value
        return !plain.isEmpty && plain == text && text.isWithin(longestUnit)
    }
}
