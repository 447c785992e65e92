import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import Foundation
import GRDB

extension BeatFiller {
    /// Auctions of one beat of fifty: two of three are running with up to forty bids, the others have ended without any.
    @Sendable func addAuctions() async throws -> Int {
        let beats = try await library.reading { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT item, author FROM tracks JOIN works ON works.id = tracks.work
                    WHERE kind = 'beat' AND tracks.rowid % 50 = 1 ORDER BY tracks.rowid
                    """
            ).map { (item: $0["item"] as String, seller: $0["author"] as AccountID) }
        }
        let now = Accounts.milliseconds(clock.now)
        let ends = now + 20 * Int64(Self.day) * 1000
        return try await library.transact { database in
            var (generator, count) = (SplitMix(seed: options.seed &+ 92), 0)
            for (number, beat) in beats.enumerated() {
                try database.cachedStatement(
                    sql: """
                        INSERT INTO auctions (id, item, seller, key, currency, start, step, ends, created)
                        VALUES (?, ?, ?, ?, 'EUR', 1000, 500, ?, ?)
                        """
                ).execute(arguments: [
                    HubID().text, beat.item, beat.seller, "load:\(number)", ends, now - Int64(Self.day) * 1000,
                ])
                let auction = database.lastInsertedRowID
                guard number % 3 < 2 else {
                    try database.cachedStatement(
                        sql: "UPDATE auctions SET state = 'unsold', closed = ? WHERE sequence = ?"
                    ).execute(arguments: [now, auction])
                    continue
                }
                var amount: Int64 = 1000
                for bid in 0..<generator.favourite(of: 40) {
                    let bidder = account(generator.favourite(of: options.accounts))
                    guard bidder != beat.seller else { continue }
                    try database.cachedStatement(
                        sql: """
                            INSERT INTO bids (auction, bidder, key, amount, card, version, at, ends, isExtending)
                            VALUES (?, ?, ?, ?, 'keep', 1, ?, ?, 0)
                            """
                    ).execute(arguments: [auction, bidder, "load:\(number):\(bid)", amount, now, ends])
                    amount += 500 * Int64.random(in: 1...3, using: &generator)
                    count += 1
                }
            }
            return count
        }
    }

    /// Requests of people who want a beat made: half of them wait for a price, half have one.
    @Sendable func addRequests() async throws -> Int {
        let now = Accounts.milliseconds(clock.now)
        let expires = now + 14 * Int64(Self.day) * 1000
        return try await library.transact { database in
            var (generator, count) = (SplitMix(seed: options.seed &+ 93), 0)
            for number in 0..<options.tracks / 20 {
                let asker = account(generator.favourite(of: options.accounts))
                let producer = account(generator.favourite(of: producers))
                guard asker != producer else { continue }
                let isPriced = number.isMultiple(of: 2)
                try database.cachedStatement(
                    sql: """
                        INSERT INTO requests (id, asker, producer, key, words, phase, "by", amount, currency, moves, created,
                            changed, expires)
                        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12)
                        """
                ).execute(arguments: [
                    HubID().text, asker, producer, "load:\(number)", vocabulary.track(using: &generator).text,
                    isPriced ? "priced" : "asked", isPriced ? "producer" : "asker", isPriced ? 20_000 : nil,
                    isPriced ? "EUR" : nil, isPriced ? 1 : 0, now, expires,
                ])
                count += 1
                guard isPriced else { continue }
                try database.cachedStatement(
                    sql: """
                        INSERT INTO requestMoves (request, number, side, act, amount, currency, at)
                        VALUES (?, 1, 'producer', 'price', 20000, 'EUR', ?)
                        """
                ).execute(arguments: [database.lastInsertedRowID, now])
            }
            return count
        }
    }
}
