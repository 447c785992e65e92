package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import ChirpPlaces
internal import FoundationEssentials
internal import GRDB

/// Saved searches in the library.
package struct AlertStore: Sendable {
    package let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// In ms: how often one is told, and how long what fitted is kept.
    private static let hour: Int64 = 3_600_000
    private static let memory: Int64 = 60 * 24 * hour

    /// Saves one, or puts another wish in the place of one's own.
    ///
    /// - Parameter id: nil: a new one.
    /// - Throws: ``AlertRefusal``.
    @discardableResult
    package func save(_ wish: Alert.Wish, as id: HubID? = nil, by account: AccountID) async throws -> HubID {
        var wish = wish
        wish.words = PlainText(wish.words, limit: Alert.longestWords + 1).value
        guard wish.words.isWithin(Alert.longestWords) else { throw AlertRefusal.tooLong }
        guard !MatchWords.all(of: wish.words).isEmpty || wish.category != nil || wish.area != nil else {
            throw AlertRefusal.tooWide
        }
        let now = Accounts.milliseconds(library.now())
        let (wanted, new) = (wish, HubID())
        return try await library.transact { database in
            if let id {
                try database.cachedStatement(
                    sql: "DELETE FROM alertCells WHERE alert IN (SELECT id FROM alerts WHERE id = ? AND account = ?)"
                ).execute(arguments: [id.text, account])
                try database.cachedStatement(
                    sql: """
                        UPDATE alerts SET words = ?, side = ?, category = ?, lat = ?, lon = ?, radius = ?, place = ?
                        WHERE id = ? AND account = ?
                        """
                ).execute(arguments: Self.columns(wanted) + [id.text, account])
                guard database.changesCount == 1 else { throw AlertRefusal.notFound }
            } else {
                try database.cachedStatement(
                    sql: """
                        INSERT INTO alerts (words, side, category, lat, lon, radius, place, id, account, created)
                        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
                        WHERE (SELECT COUNT(*) FROM alerts WHERE account = ?) < \(Alert.most)
                        """
                ).execute(arguments: Self.columns(wanted) + [new.text, account, now, account])
                guard database.changesCount == 1 else { throw AlertRefusal.tooMany }
            }
            for cell in wanted.cells {
                try database.cachedStatement(sql: "INSERT INTO alertCells (cell, alert) VALUES (?, ?)").execute(
                    arguments: [cell, (id ?? new).text])
            }
            return id ?? new
        }
    }

    /// - Throws: ``AlertRefusal/notFound``.
    package func remove(_ id: HubID, by account: AccountID) async throws {
        try await library.transact { database in
            try database.cachedStatement(sql: "DELETE FROM alerts WHERE id = ? AND account = ?").execute(arguments: [
                id.text, account,
            ])
            guard database.changesCount == 1 else { throw AlertRefusal.notFound }
        }
    }

    /// Somebody's own, the newest first.
    package func alerts(of account: AccountID) async throws -> [Alert] {
        try await library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT alerts.*, (SELECT COUNT(*) FROM alertHits WHERE alert = alerts.id AND seen = 0) AS fresh
                        FROM alerts WHERE account = ? ORDER BY created DESC, id
                        """), arguments: [account]
            ).compactMap(Alert.init)
        }
    }

    /// What has come that fits one of somebody's own, the newest first, as she sees it.
    ///
    /// - Returns: nil when it is none of hers.
    package func found(_ id: HubID, of account: AccountID) async throws -> (alert: Alert, listings: [Listing])? {
        guard let alert = try await alerts(of: account).first(where: { $0.id == id }) else { return nil }
        let ids = try await library.reading { database in
            try String.fetchAll(
                database.cachedStatement(
                    sql: "SELECT item FROM alertHits WHERE alert = ? ORDER BY at DESC, item LIMIT 100"),
                arguments: [id.text])
        }
        let store = ListingStore(library: library)
        return (alert, try await store.listings(ids.compactMap { HubID($0) }, for: .member(account)))
    }

    /// She has looked at what came.
    package func look(_ id: HubID, by account: AccountID) async throws {
        try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    UPDATE alertHits SET seen = 1, told = 1
                    WHERE alert IN (SELECT id FROM alerts WHERE id = ? AND account = ?)
                    """
            ).execute(arguments: [id.text, account])
        }
    }

    /// Writes down whose wish a new listing fits.
    ///
    /// - Returns: the alerts that it came for.
    @discardableResult
    package func hear(of listing: Listing) async throws -> [HubID] {
        let (item, now) = (listing.item, Accounts.milliseconds(library.now()))
        let cells =
            [""] + (item.place.map { [MapCell($0.shown, .middle).token, MapCell($0.shown, .wide).token] } ?? [])
        let list = try cells.statementList()
        let fitting = try await library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT alerts.*, 0 AS fresh FROM json_each(:cells) AS list
                        CROSS JOIN alertCells ON alertCells.cell = list.value JOIN alerts ON alerts.id = alertCells.alert
                        WHERE alerts.account <> :author AND (side IS NULL OR side = :side)
                            AND (category IS NULL OR category = :category)
                        """),
                arguments: [
                    "cells": list, "author": item.author.id, "side": listing.side.rawValue, "category": item.category,
                ]
            ).compactMap(Alert.init).filter { $0.wish.fits(listing) }.map(\.id)
        }
        guard !fitting.isEmpty else { return [] }
        try await library.transact { database in
            for alert in fitting {
                try database.cachedStatement(
                    sql: """
                        INSERT INTO alertHits (alert, item, at) SELECT id, ?, ? FROM alerts WHERE id = ?
                        ON CONFLICT DO NOTHING
                        """
                ).execute(arguments: [item.id.text, now, alert.text])
            }
        }
        return fitting
    }

    /// Tells people of what fits: of all that has come at once, and at most once an hour for each search. The rest is told later.
    ///
    /// - Parameter alerts: that something has just come for; nil: all, of which there may be very many.
    package func tell(_ alerts: [HubID]? = nil) async throws {
        if alerts?.isEmpty == true { return }
        let (library, now) = (library, Accounts.milliseconds(library.now()))
        try await library.transact { database in
            try database.cachedStatement(sql: "DELETE FROM alertHits WHERE at <= ?").execute(arguments: [
                now - Self.memory
            ])
            let due = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT DISTINCT alerts.id, alerts.account
                        FROM json_each(COALESCE(?, (SELECT json_group_array(alert) FROM alertHits WHERE told = 0))) AS list
                        JOIN alerts ON alerts.id = list.value
                        WHERE alerts.told <= ? AND EXISTS (SELECT 1 FROM alertHits WHERE alert = alerts.id AND told = 0)
                        LIMIT 1000
                        """), arguments: [try alerts?.map(\.text).statementList(), now - Self.hour])
            for row in due {
                let (alert, account): (String, AccountID) = (row["id"], row["account"])
                let items = try String.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT item FROM alertHits WHERE alert = ? AND told = 0 ORDER BY at DESC, item LIMIT 50"),
                    arguments: [alert]
                ).compactMap { HubID($0) }
                try database.cachedStatement(sql: "UPDATE alertHits SET told = 1 WHERE alert = ? AND told = 0").execute(
                    arguments: [alert])
                // The newest that she sees, and that has not ended meanwhile.
                let told = try items.first { id in
                    try Items.item(
                        id, board: ListingStore.board, for: .member(account), library: library, in: database)?
                        .state == .open
                }
                guard let told else { continue }
                try Notice.add(
                    Notice.Draft(account: account, kind: .alert, item: told, cause: "alert:\(alert):\(now)"), at: now,
                    in: database)
                try database.cachedStatement(sql: "UPDATE alerts SET told = ? WHERE id = ?").execute(arguments: [
                    now, alert,
                ])
            }
        }
    }

    private static func columns(_ wish: Alert.Wish) -> StatementArguments {
        [
            wish.words, wish.side?.rawValue, wish.category?.rawValue, wish.area?.point.latitude,
            wish.area?.point.longitude, wish.area?.radius, wish.area?.name ?? "",
        ]
    }
}

extension Alert {
    /// Nil for what makes no sense.
    fileprivate init?(_ row: Row) {
        guard let id = HubID(row["id"] as String) else { return nil }
        var wish = Wish()
        wish.words = row["words"]
        wish.side = (row["side"] as String?).flatMap(Listing.Side.init)
        wish.category = (row["category"] as String?).flatMap(Listing.Category.init)
        if let latitude: Double = row["lat"], let longitude: Double = row["lon"], let radius: Double = row["radius"],
            let point = GeoPoint(latitude: latitude, longitude: longitude)
        {
            wish.area = Area(point: point, radius: radius, name: row["place"])
        }
        self.init(id: id, wish: wish, created: Accounts.date(row["created"]), fresh: row["fresh"])
    }
}
