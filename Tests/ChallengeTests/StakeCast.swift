import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import Foundation
import GRDB
import HubHousehold
import Testing

/// Plays a case of a pledge that is written as words: `a50` is an attempt of Ann's with 50, `va`, `ra`, `wa` and `pa` verify it, reject it, take it
/// back and appeal, `xa` erases her; `P30` is a pledge for so many days, `+15` waits so many days, and whoever sweeps comes by.
struct StakeCast {
    static let limits = StakeLimits(isOn: true, mostOpen: 10_000)

    let cast: ChallengeCast
    var store: StakeStore { StakeStore(library: cast.library, limits: Self.limits) }

    init() async throws {
        cast = try await ChallengeCast()
        // Tim is Sue's second account, by the same mailbox.
        try await cast.house.change(
            """
            INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
            SELECT 'id-' || value, value, value, value, 'member', 'active', 0
            FROM json_each('["tim", "eve", "fay", "gil", "hal"]');
            UPDATE accounts SET mail = 'sue@example.org' WHERE handle = 'sue';
            UPDATE accounts SET mail = 'sue+tim@example.org' WHERE handle = 'tim';
            """)
    }

    private static let names = [
        "a": "ann", "b": "bob", "c": "cem", "s": "sue", "t": "tim", "e": "eve", "f": "fay", "g": "gil", "h": "hal",
    ]

    private func person(_ letter: Substring) throws -> AccountID {
        AccountID(rawValue: "id-\(try #require(Self.names[String(letter)]))")
    }

    func pledge(
        _ days: Int, at challenge: HubID, by account: AccountID, key: String = UUID().uuidString
    ) async throws -> HubID {
        let terms = StakeTerms(
            amount: 10, unit: "points", until: cast.house.now.addingTimeInterval(Double(days) * 86_400), isAdult: true)
        return try await store.pledge(terms, at: challenge, version: 1, by: account, key: key)
    }

    /// - Returns: where the amount has gone, one movement after the other, and how the pledge stands.
    func play(_ script: String, by setter: AccountID? = nil) async throws -> String {
        cast.house.wait(86_400)
        let setter = setter ?? cast.sue
        let challenge = try await cast.challenge(by: setter)
        var attempts: [Substring: HubID] = [:]
        for step in script.split(separator: " ") {
            let (first, rest) = (step.prefix(1), step.dropFirst())
            switch first {
            case "P": _ = try await pledge(try #require(Int(rest)), at: challenge, by: setter)
            case "+":
                cast.house.wait(try #require(Double(rest)) * 86_400)
                try await store.sweep(at: cast.house.now)
            case "v": try await cast.attempts.decide(try #require(attempts[rest]), .verify, by: cast.mod)
            case "V": try await cast.attempts.decide(try #require(attempts[rest]), .verify, by: cast.moe)
            case "r": try await cast.attempts.decide(try #require(attempts[rest]), .reject(why: "Cut"), by: cast.mod)
            case "w": try await cast.attempts.withdraw(try #require(attempts[rest]), by: try person(rest))
            case "p": try await cast.attempts.appeal(try #require(attempts[rest]), text: "No", by: try person(rest))
            case "x": _ = try await cast.library.accounts().delete(try person(rest))
            case "M": try await cast.house.change("UPDATE accounts SET mail = 't@example.net' WHERE handle = 'tim'")
            case "D": try await cast.house.change("UPDATE items SET state = 'withdrawn' WHERE id = '\(challenge)'")
            default: attempts[first] = try await cast.attempt(String(rest), at: challenge, by: try person(first))
            }
        }
        try await store.sweep(at: cast.house.now)
        let moved = try await cast.library.reading { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT giver.name || '>' || taker.name FROM stakes
                    JOIN stakeMovements AS movement ON movement.stake = stakes.sequence
                    JOIN (SELECT movement, amount, IIF(place = 'pot', 'pot', COALESCE(substr(account, 4, 1), '-')) AS name
                        FROM stakeLedger) AS giver ON giver.movement = movement.sequence AND giver.amount = -10
                    JOIN (SELECT movement, amount, IIF(place = 'pot', 'pot', COALESCE(substr(account, 4, 1), '-')) AS name
                        FROM stakeLedger) AS taker ON taker.movement = movement.sequence AND taker.amount = 10
                    WHERE stakes.rule = (SELECT sequence FROM rules WHERE challenge = ?) ORDER BY movement.sequence
                    """, arguments: [challenge.text])
        }
        let state: String
        switch try await store.stakes(at: challenge, for: .member(cast.mod)).first?.state {
        case nil: state = "none"
        case .open: state = "open"
        case .waiting: state = "waiting"
        case .frozen: state = "frozen"
        case .paid: state = "paid"
        case .back: state = "back"
        }
        return (moved + [state]).joined(separator: " ")
    }

    /// What is wrong with all that was written: movements that are not whole, and pots that hold something else than what is pledged.
    func faults() async throws -> Int {
        try await cast.library.reading { database in
            let movements = try Int.fetchOne(
                database,
                sql: """
                    SELECT COUNT(*) FROM stakeMovements AS movement WHERE fault <> 0
                        OR (SELECT COUNT(*) < 2 OR SUM(amount) <> 0 FROM stakeLedger WHERE movement = movement.sequence)
                    """)
            let pots = try Int.fetchOne(
                database,
                sql: """
                    SELECT COUNT(*) FROM stakes WHERE amount * (state = 'open') <> (
                        SELECT SUM(line.amount) FROM stakeMovements AS movement
                        JOIN stakeLedger AS line ON line.movement = movement.sequence
                        WHERE movement.stake = stakes.sequence AND place = 'pot')
                    """)
            return (movements ?? -1) + (pots ?? -1)
                + (try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count)
        }
    }
}
