import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpOrders
import Foundation
import GRDB
import HubHousehold
import Testing

/// Many bidders at once around the end, by a clock that goes on meanwhile.
@Suite struct AuctionRaceTests {
    /// What one try was answered.
    private enum Answer: Sendable {
        case accepted(BidReceipt)
        case refused(BidRefusal)
    }

    private struct Try: Sendable {
        let bidder: AccountID
        let cents: Int64
    }

    private static let people = 200
    private static let tries = 10_000

    /// As the tables have it.
    private struct Placed {
        let sequence, amount, at, ends: Int64
        let bidder: AccountID
    }

    @Test func `of ten thousand bids around the end each has an answer, in the server's order`() async throws {
        let cast = try await DealCast()
        var bidders: [AccountID] = []
        for number in 0..<Self.people { bidders.append(try await cast.house.person("b\(number)")) }
        let (id, beat) = try await cast.auction(1000, step: 50, hours: 1)
        let planned = cast.now + 3_600_000
        var random = SplitMix(state: 7)

        // Half of them in the 30 seconds before the end: those that are taken move it, and so some come in time that would have been late.
        cast.house.wait(3600 - 30)
        let first = (0..<Self.tries / 2).map { number in
            Try(bidder: bidders[random.below(Self.people)], cents: Int64(500 + number + random.below(2000)))
        }
        var answers = try await answers(first, on: id, cast)
        let moved = try #require(try await cast.auctions.auction(of: beat, for: .visitor))
        #expect(moved.ends == Accounts.date(planned + 300_000))

        // The others in the 60 seconds around the end that it has now: all too low, so that the end stays.
        cast.house.wait(moved.ends.timeIntervalSince(cast.house.now) - 30)
        let most = try #require(moved.highest).amount
        let second = (0..<Self.tries / 2).map { _ in
            Try(bidder: bidders[random.below(Self.people)], cents: Int64(random.below(Int(most) + 50)))
        }
        answers += try await self.answers(second, on: id, cast, stepMilliseconds: 12)
        #expect(answers.count == Self.tries)

        let placed = try await rows(cast)
        try check(placed, answers, planned: planned, final: Accounts.milliseconds(moved.ends))
        let refused = answers.compactMap { answer -> BidRefusal? in
            if case .refused(let refusal) = answer { refusal } else { nil }
        }
        #expect(refused.contains(.over(at: Accounts.milliseconds(moved.ends))))
        #expect(refused.contains(.tooLow(needed: DealCast.euros(most + 50))))
        #expect(try await cast.auctions.auction(of: beat, for: .visitor)?.ends == moved.ends)

        // Whoever had the highest and was outbid by another was told of just that.
        let outbid = zip(placed, placed.dropFirst()).filter { $0.bidder != $1.bidder }.map { "outbid:\($0.0.sequence)" }
        let told = try await cast.library.reading { database in
            try String.fetchAll(
                database, sql: "SELECT cause FROM notices WHERE cause LIKE 'outbid:%' ORDER BY sequence")
        }
        #expect(told == outbid)

        try await cast.auctions.settle(at: cast.house.now)
        let turn = try #require(try await cast.library.reading { try AuctionStore.turn(of: id, in: $0) })
        let last = try #require(placed.last)
        #expect(turn.bid.bidder == last.bidder)
        #expect(turn.bid.money == DealCast.euros(last.amount))
        cast.house.wait(48 * 3600 + 1)
        try await cast.auctions.settle(at: cast.house.now)
        let next = try #require(try await cast.library.reading { try AuctionStore.turn(of: id, in: $0) })
        let runnerUp = try #require(placed.last { $0.bidder != last.bidder })
        #expect(next.bid.bidder == runnerUp.bidder)
        #expect(next.bid.money == DealCast.euros(runnerUp.amount))
    }

    @Test func `of callers in two processes one wins each amount, and the others are told what is needed`() async throws
    {
        let cast = try await DealCast()
        let (id, _) = try await cast.auction(1000, step: 100)
        let other = AuctionStore(
            library: try HubHousehold(sharing: cast.house, boards: DealCast.tables).library, board: "beats")
        for round in 0..<10 as Range<Int64> {
            let binding = BidBinding(
                auction: id, version: 1, money: DealCast.euros(1000 + round * 100), card: .hold)
            let answers = await withTaskGroup(of: Answer.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let store = number % 2 == 0 ? cast.auctions : other
                        let bidder = [cast.ann, cast.bob, cast.eve][number % 3]
                        do throws(BidRefusal) {
                            return .accepted(try await store.place(binding, by: bidder, key: "\(round):\(number)"))
                        } catch { return .refused(error) }
                    }
                }
                return await group.reduce(into: [Answer]()) { $0.append($1) }
            }
            let refused = answers.compactMap { answer -> BidRefusal? in
                if case .refused(let refusal) = answer { refusal } else { nil }
            }
            #expect(refused.count == 49)
            #expect(refused.allSatisfy { $0 == .tooLow(needed: DealCast.euros(1100 + round * 100)) })
        }
        #expect(try await cast.count("SELECT COUNT(*) FROM bids") == 10)
    }

    /// All at once; the clock goes on with each.
    private func answers(
        _ tries: [Try], on id: HubID, _ cast: DealCast, stepMilliseconds: Double = 4
    ) async throws -> [Answer] {
        await withTaskGroup(of: Answer.self) { group in
            for (number, attempt) in tries.enumerated() {
                group.addTask {
                    cast.house.wait(stepMilliseconds / 1000)
                    let binding = BidBinding(
                        auction: id, version: 1, money: DealCast.euros(attempt.cents), card: .hold)
                    do throws(BidRefusal) {
                        return .accepted(
                            try await cast.auctions.place(
                                binding, by: attempt.bidder, key: "\(attempt.cents):\(number)"))
                    } catch { return .refused(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func rows(_ cast: DealCast) async throws -> [Placed] {
        try await cast.library.reading { database in
            try Row.fetchAll(database, sql: "SELECT * FROM bids ORDER BY sequence").map {
                Placed(
                    sequence: $0["sequence"], amount: $0["amount"], at: $0["at"], ends: $0["ends"],
                    bidder: $0["bidder"])
            }
        }
    }

    /// What must hold of the rows alone, and that they are what was answered.
    private func check(_ placed: [Placed], _ answers: [Answer], planned: Int64, final: Int64) throws {
        let accepted = answers.compactMap { answer -> BidReceipt? in
            if case .accepted(let receipt) = answer { receipt } else { nil }
        }
        .sorted { $0.bid.sequence < $1.bid.sequence }
        #expect(accepted.count > 20)
        #expect(accepted.map(\.bid.sequence) == placed.map(\.sequence))
        #expect(accepted.map(\.bid.money.amount) == placed.map(\.amount))
        #expect(accepted.map(\.ends) == placed.map(\.ends))
        var ends = planned
        var (amount, at): (Int64, Int64) = (950, .min)
        for bid in placed {
            #expect(bid.amount >= amount + 50)
            #expect(bid.at >= at)
            #expect(bid.at < ends)
            if ends - bid.at <= 300_000 { ends += 300_000 }
            #expect(bid.ends == ends)
            (amount, at) = (bid.amount, bid.at)
        }
        #expect(ends == final)
        for case .refused(let refusal) in answers {
            switch refusal {
            case .tooLow(let needed): #expect(needed.amount <= amount + 50)
            case .over(let end): #expect(end == final)
            default: Issue.record("refused with \(refusal)")
            }
        }
    }
}

/// The same numbers in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
