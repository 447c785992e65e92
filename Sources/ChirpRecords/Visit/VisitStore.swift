package import ChirpAccounts
package import ChirpCommunity
internal import ChirpPlaces
package import FoundationEssentials
internal import GRDB

/// What the board keeps of how somebody looks at it.
package struct ChallengeVisit: Hashable, Sendable {
    /// When she has seen the introduction, or left it out; nil: it is still to be shown.
    package var introduced: Date?
    /// What local is for her (OU-13); nil: she has not said it.
    package var locality: ChallengeFeed.Locality?
    /// What its middle is called, as she or the gazetteer named it.
    package var name = ""
    /// Whether a record that she breaks is announced by a clip in her name (``RecordAnnouncements``).
    package var isAnnounced = true

    package init() {}
}

/// How people look at the board, in the library.
package struct VisitStore: Sendable {
    private let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// In characters.
    package static let longestName = 200

    /// That of an account; of a new one there is nothing in it.
    package func visit(of account: AccountID) async throws -> ChallengeVisit {
        try await library.reading { database in
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM challengeVisits WHERE account = ?"), arguments: [account])
            return row.map(ChallengeVisit.init) ?? ChallengeVisit()
        }
    }

    /// The introduction is over, or left out: it comes no more. May be repeated.
    package func introduce(_ account: AccountID) async throws {
        let now = Accounts.milliseconds(library.now())
        try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO challengeVisits (account, introduced) VALUES (?, ?)
                    ON CONFLICT (account) DO UPDATE SET introduced = COALESCE(introduced, excluded.introduced)
                    """
            ).execute(arguments: [account, now])
        }
    }

    /// Chooses what local is; nil: nothing any more. The middle is kept to a hundredth of a degree, some kilometre: it need not be where she
    /// lives.
    package func choose(
        _ locality: ChallengeFeed.Locality?, name: String, for account: AccountID
    ) async throws {
        let name = locality == nil ? "" : RecordPlace.plain(name, longest: Self.longestName)
        let (latitude, longitude) = (
            locality.map { ($0.centre.latitude * 100).rounded() / 100 },
            locality.map { ($0.centre.longitude * 100).rounded() / 100 }
        )
        try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO challengeVisits (account, lat, lon, radius, name) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (account) DO UPDATE SET lat = excluded.lat, lon = excluded.lon,
                        radius = excluded.radius, name = excluded.name
                    """
            ).execute(arguments: [account, latitude, longitude, locality?.radius, name])
        }
    }

    /// Chooses whether her records are announced from now on; one that waits to be announced goes by it too. May be repeated.
    package func announce(_ isAnnounced: Bool, for account: AccountID) async throws {
        try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO challengeVisits (account, announced) VALUES (?, ?)
                    ON CONFLICT (account) DO UPDATE SET announced = excluded.announced
                    """
            ).execute(arguments: [account, isAnnounced])
        }
    }

    /// A condition in SQL: records of an account are announced, as they are until she says otherwise.
    ///
    /// - Parameter account: an expression for its id.
    static func isAnnounced(_ account: String) -> String {
        "NOT EXISTS (SELECT 1 FROM challengeVisits WHERE account = \(account) AND NOT announced)"
    }
}

extension ChallengeVisit {
    fileprivate init(_ row: Row) {
        introduced = (row["introduced"] as Int64?).map(Accounts.date)
        if let latitude: Double = row["lat"], let longitude: Double = row["lon"], let radius: Int = row["radius"],
            let centre = GeoPoint(latitude: latitude, longitude: longitude)
        {
            locality = ChallengeFeed.Locality(centre, radius: radius)
        }
        name = row["name"]
        isAnnounced = row["announced"]
    }
}
