package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
package import FoundationEssentials
internal import GRDB

/// A request for a beat as both sides read it.
package struct BeatRequest: Hashable, Sendable, Identifiable {
    package let id: HubID
    package let asker: AccountID
    package let producer: AccountID
    /// Plain text, in lines.
    package let words: String
    /// What the asker sings or says, for the producer's ears.
    package let clip: HubID?
    /// A track that it is to be like.
    package let reference: HubID?
    package let state: RequestState
    package let created: Date
    package let changed: Date
    /// When it expires unless somebody moves.
    package let expires: Date?

    /// Nil for whoever has no part in it.
    package func side(of account: AccountID) -> RequestState.Side? {
        account == asker ? .asker : account == producer ? .producer : nil
    }

    package func person(_ side: RequestState.Side) -> AccountID { side == .asker ? asker : producer }

    /// Characters of what is said with it and with each act.
    package static let longestWords = 2000
    /// How many requests somebody makes in 24 hours, and how many of hers one producer has before her at once.
    package static let mostPerDay = 10
    package static let mostAtOnce = 3
    /// Bytes of what tells one try from another.
    package static let longestKey = 200
}

/// What is asked for.
package struct RequestDraft: Hashable, Sendable {
    package let producer: AccountID
    package let words: String
    package let clip: HubID?
    package let reference: HubID?
    /// The same for every try to ask the same.
    package let key: String

    package init(to producer: AccountID, words: String, clip: HubID? = nil, reference: HubID? = nil, key: String) {
        self.producer = producer
        self.words = words
        self.clip = clip
        self.reference = reference
        self.key = key
    }
}

/// A row of what was done.
package struct RequestMove: Hashable, Sendable {
    package let number: Int
    /// Nil: time has done it.
    package let side: RequestState.Side?
    /// Nil: it has expired.
    package let act: RequestState.Act.Kind?
    package let money: Money?
    package let words: String
    package let at: Date
}

/// Something that the other side is told of in the conversation of the two.
package struct RequestEvent: Hashable, Sendable {
    package let request: BeatRequest
    /// Nil: it was asked.
    package let act: RequestState.Act?
    package let side: RequestState.Side
}

/// A request as the tables have it.
struct RequestRow: Sendable {
    let sequence: Int64
    let request: BeatRequest

    /// Nil for what a later release has written.
    init?(_ row: Row) {
        guard let id = HubID(row["id"] as String), let phase = RequestState.Phase(rawValue: row["phase"]),
            let by = RequestState.Side(rawValue: row["by"])
        else { return nil }
        sequence = row["sequence"]
        let (clip, reference): (String?, String?) = (row["clip"], row["reference"])
        let expires: Int64? = row["expires"]
        request = BeatRequest(
            id: id, asker: row["asker"], producer: row["producer"], words: row["words"],
            clip: clip.flatMap { HubID($0) }, reference: reference.flatMap { HubID($0) },
            state: RequestState(phase, by: by, money: Money(row), moves: row["moves"]),
            created: Accounts.date(row["created"]), changed: Accounts.date(row["changed"]),
            expires: expires.map(Accounts.date))
    }

    static func find(_ id: HubID, in database: Database) throws -> RequestRow? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM requests WHERE id = ?"), arguments: [id.text]
        ).flatMap(RequestRow.init)
    }
}

extension Money {
    /// Of the columns `amount` and `currency`.
    init?(_ row: Row) {
        guard let amount = row["amount"] as Int64?, let code = row["currency"] as String?,
            let currency = Currency(code)
        else { return nil }
        self.init(amount, currency)
    }
}
