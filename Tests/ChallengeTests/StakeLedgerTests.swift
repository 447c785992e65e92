import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import Foundation
import GRDB
import HubHousehold
import Testing

/// Pledges in the library (OU-17; boards.md 5.3.9).
@Suite struct StakeLedgerTests {
    /// In each Ann holds a record of 50 before, but where it says so. What Sue has pledged is in the pot.
    private static let table: [(script: String, ledger: String)] = [
        ("P30", "s>pot open"),
        ("P30 +31", "s>pot pot>s back"),
        ("P30 b60", "s>pot open"),
        ("P30 b60 vb", "s>pot frozen"),
        ("P30 b60 vb +13", "s>pot frozen"),
        ("P30 b60 vb +15", "s>pot pot>b paid"),
        ("P30 b60 vb +15 +400", "s>pot pot>b paid"),
        // What came in time is waited for.
        ("P30 b60 +31", "s>pot waiting"),
        ("P30 b60 +31 vb", "s>pot frozen"),
        ("P30 b60 +31 vb +15", "s>pot pot>b paid"),
        ("P30 b60 +31 rb", "s>pot waiting"),
        ("P30 b60 +31 rb +15", "s>pot pot>s back"),
        ("P30 b60 +31 wb", "s>pot pot>s back"),
        ("P30 b60 rb +31", "s>pot pot>s back"),
        ("P30 b60 rb pb Vb +15", "s>pot pot>b paid"),
        ("P30 +31 b60 vb +15", "s>pot pot>s back"),
        ("b60 P30 vb +31", "s>pot pot>s back"),
        ("P30 b50 vb +31", "s>pot pot>s back"),
        ("P30 b40 vb +31", "s>pot pot>s back"),
        // The first has it, and whoever may have been the first is waited for.
        ("P30 b60 vb c70 vc +15", "s>pot pot>b paid"),
        ("P30 b60 c70 vc +15", "s>pot frozen"),
        ("P30 b60 c70 vc +15 vb +15", "s>pot pot>b paid"),
        ("P30 b60 c70 vc rb +15", "s>pot pot>c paid"),
        ("b60 P30 c55 vc +15", "s>pot frozen"),
        ("b60 P30 c55 vc vb +31", "s>pot pot>s back"),
        ("b60 P30 c55 vc rb +15", "s>pot pot>c paid"),
        // Rejected after all: before it was paid, and afterwards.
        ("P30 b60 vb rb", "s>pot open"),
        ("P30 b60 vb rb +31", "s>pot pot>s back"),
        ("P30 b60 vb +15 rb", "s>pot pot>b b>pot open"),
        ("P30 b60 vb +15 rb +31", "s>pot pot>b b>pot pot>s back"),
        ("P30 b60 vb c70 vc +15 rb +1", "s>pot pot>b b>pot frozen"),
        ("P30 b60 vb c70 vc +15 rb +15", "s>pot pot>b b>pot pot>c paid"),
        ("P30 b60 vb +15 wb +31", "s>pot pot>b b>pot pot>s back"),
        ("P30 b60 vb +15 rb pb Vb +15", "s>pot pot>b paid"),
        // Nobody wins an own pledge, by whichever account; but an own record is to be broken too.
        ("P30 s60 vs +31", "s>pot pot>s back"),
        ("P30 s60 vs b55 vb +31", "s>pot pot>s back"),
        ("P30 s60 vs b61 vb +15", "s>pot pot>b paid"),
        ("P30 t60 vt +31", "s>pot pot>s back"),
        ("P30 t60 vt b61 vb +15", "s>pot pot>b paid"),
        // One after the other.
        ("P30 b60 vb +15 P30 c70 vc +15", "s>pot pot>b s>pot pot>c paid"),
        ("P30 +31 P30 b60 vb +15", "s>pot pot>s s>pot pot>b paid"),
        // What its setter has taken back shows nothing any more, and is settled all the same.
        ("P30 b60 vb D +1", "s>pot pot>s none"),
        ("P30 t60 vt +1 M +31", "s>pot pot>s back"),
        // Whose account is gone.
        ("P30 e60 ve xe +31", "s>pot pot>s back"),
        ("P30 f60 vf +15 xf +31", "s>pot pot>- paid"),
        ("P30 b60 vb +15 xa +31", "s>pot pot>b paid"),
    ]

    @Test func `the ledger is right in each case of a table`() async throws {
        let stakes = try await StakeCast()
        #expect(Self.table.count >= 40)
        for (script, ledger) in Self.table {
            #expect(try await stakes.play("a50 va \(script)") == ledger, "\(script)")
        }
        #expect(try await stakes.faults() == 0)
    }

    @Test func `a first record breaks none, and who is erased breaks no promise by it`() async throws {
        let stakes = try await StakeCast()
        let (gil, hal) = (AccountID(rawValue: "id-gil"), AccountID(rawValue: "id-hal"))
        #expect(try await stakes.play("P30 b60 vb +31") == "s>pot pot>s back")
        #expect(try await stakes.play("P30 b60 vb c70 vc +15") == "s>pot pot>c paid")
        #expect(try await stakes.play("a50 va P30 b60 vb xg +15", by: gil) == "->pot pot>b paid")
        #expect(try await stakes.play("a50 va P30 xh b60 vb +31", by: hal) == "->pot pot>- back")
        #expect(try await stakes.faults() == 0)
    }

    private func refusal(_ act: () async throws -> HubID) async -> StakeRefusal? {
        do { _ = try await act() } catch { return error as? StakeRefusal }
        return nil
    }

    @Test func `only the setter pledges, once for a key, one at a time, and as much as is allowed`() async throws {
        let stakes = try await StakeCast()
        let cast = stakes.cast
        let id = try await cast.challenge()
        #expect(await refusal { try await stakes.pledge(30, at: id, by: cast.ann) } == .notSetter)
        #expect(await refusal { try await stakes.pledge(30, at: HubID(), by: cast.sue) } == .notFound)
        #expect(
            await refusal { try await stakes.pledge(30, at: id, by: cast.sue, key: "") } == .fields([.key: .missing]))
        let first = try await stakes.pledge(30, at: id, by: cast.sue, key: "once")
        #expect(try await stakes.pledge(40, at: id, by: cast.sue, key: "once") == first)
        #expect(await refusal { try await stakes.pledge(30, at: id, by: cast.sue) } == .already)
        let strict = StakeStore(library: cast.library, limits: StakeLimits(isOn: true, most: 10, mostOpen: 15))
        let other = try await cast.challenge()
        let terms = StakeTerms(
            amount: 10, unit: "points", until: cast.house.now.addingTimeInterval(1e6), isAdult: true)
        #expect(
            await refusal { try await strict.pledge(terms, at: other, version: 1, by: cast.sue, key: "k") }
                == .fields([.amount: .tooMuchAtOnce(left: 5)]))
        #expect(
            await refusal { try await strict.pledge(terms, at: other, version: 2, by: cast.sue, key: "k") }
                == .changed(version: 1))
        let statement = try await stakes.store.statement(of: cast.sue, limit: 10)
        #expect(statement.balances == ["points": -10] && statement.entries.map(\.amount) == [-10])
        #expect(statement.entries.first?.challenge == id && statement.entries.first?.title == "Claps in a minute")
        // Off, there is no trace of any.
        let off = StakeStore(library: cast.library)
        #expect(await refusal { try await off.pledge(terms, at: other, version: 1, by: cast.sue, key: "k") } == .off)
        #expect(try await off.stakes(at: id, for: .member(cast.sue)).isEmpty)
        #expect(try await off.statement(of: cast.sue, limit: 10) == StakeStatement())
    }

    @Test func `nothing in the ledger is changed or removed, and no movement comes by halves`() async throws {
        let stakes = try await StakeCast()
        #expect(try await stakes.play("a50 va P30 b60 vb +15") == "s>pot pot>b paid")
        for sql in [
            "UPDATE stakeLedger SET amount = 20", "UPDATE stakeLedger SET account = 'id-cem' WHERE place = 'person'",
            "UPDATE stakeLedger SET account = NULL WHERE place = 'person'", "DELETE FROM stakeLedger",
            "INSERT INTO stakeLedger (movement, place, amount) VALUES (1, 'pot', 5)",
            "INSERT OR REPLACE INTO stakeLedger (sequence, movement, place, amount) VALUES (1, 1, 'pot', 5)",
            "UPDATE stakeMovements SET unit = 'gold'", "UPDATE stakeMovements SET fault = 0",
            "DELETE FROM stakeMovements",
            "INSERT INTO stakeMovements (stake, step, why, unit, at) VALUES (1, 2, 'payout', 'points', 0)",
            "INSERT INTO stakeMovements (stake, step, why, unit, at) VALUES (1, 2, 'recall', 'gold', 0)",
            "INSERT INTO stakeMovements (stake, step, why, unit, at, fault) VALUES (1, 2, 'recall', 'points', 0, 0)",
            // Of these each row is right, and the whole is not.
            "INSERT INTO stakeMovements (stake, step, why, unit, at) VALUES (1, 2, 'recall', 'points', 0)",
            """
            INSERT INTO stakeMovements (stake, step, why, unit, at) VALUES (1, 2, 'recall', 'points', 0);
            INSERT INTO stakeLedger (movement, place, amount) VALUES (last_insert_rowid(), 'pot', 10)
            """,
            "UPDATE stakes SET amount = 20", "UPDATE stakes SET ends = ends + 1", "DELETE FROM stakes",
        ] {
            await #expect(throws: DatabaseError.self, "\(sql)") {
                try await stakes.cast.house.change("PRAGMA foreign_keys = ON; BEGIN; \(sql); COMMIT")
            }
        }
        #expect(try await stakes.faults() == 0)
    }

    @Test func `a step that was cut off is done again, once, by however many`() async throws {
        let stakes = try await StakeCast()
        let cast = stakes.cast
        #expect(try await stakes.play("a50 va P30 b60 vb +13") == "s>pot frozen")
        cast.house.wait(2 * 86_400)
        // The second row of the movement cannot be written, as when the process is killed before it.
        try await cast.house.change(
            """
            CREATE TRIGGER cut BEFORE INSERT ON stakeLedger WHEN NEW.place = 'person'
            BEGIN SELECT RAISE(ABORT, 'cut'); END
            """)
        await #expect(throws: (any Error).self) { try await stakes.store.sweep(at: cast.house.now) }
        #expect(try await stakes.faults() == 0)
        try await cast.house.change("DROP TRIGGER cut")
        let moved = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { try await stakes.store.sweep(at: cast.house.now) } }
            return try await group.reduce(0, +)
        }
        #expect(moved == 1)
        #expect(try await stakes.faults() == 0)
    }

    @Test func `who could win a pledge decides nothing about it`() async throws {
        let stakes = try await StakeCast()
        let cast = stakes.cast
        let id = try await cast.challenge()
        try await cast.verified("50", at: id, by: cast.ann)
        _ = try await stakes.pledge(30, at: id, by: cast.sue)
        // Moe has broken the record later, and would have it if Bob's attempt were rejected.
        let first = try await cast.verified("60", at: id, by: cast.bob)
        try await cast.verified("70", at: id, by: cast.moe)
        let reject = AttemptVerdict.reject(why: "Cut")
        #expect(
            try await cast.refusal { try await cast.attempts.decide(first, reject, by: cast.moe) } == .involved(.stake))
        cast.house.wait(15 * 86_400)
        #expect(try await stakes.store.sweep(at: cast.house.now) == 1)
        #expect(
            try await cast.refusal { try await cast.attempts.decide(first, reject, by: cast.moe) } == .involved(.stake))
        #expect(try await cast.refusal { try await cast.attempts.decide(first, reject, by: cast.mod) } == nil)
        #expect(try await stakes.store.sweep(at: cast.house.now) == 1)
        #expect(try await stakes.store.stakes(at: id, for: .member(cast.ann)).first?.winner?.handle == "moe")
    }
}
