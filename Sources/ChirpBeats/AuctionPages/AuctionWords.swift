internal import ChirpAccounts
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials

extension BidBinding {
    /// What it binds to, exactly, as it is said before the bid is placed.
    ///
    /// - Parameters:
    ///   - ends: when the auction ends as it stands.
    ///   - keepsCards: a card is asked for; otherwise the bid binds by word alone.
    func sentence(ends: Date, keepsCards: Bool) -> String {
        let values = [
            "money": money.words, "time": Wording.instant(ends), "hours": "\(AuctionTerms.timeToPay / 3_600_000)",
        ]
        guard keepsCards else { return word("deal.binds.word", values) }
        return switch card {
        case .hold: word("deal.binds.hold", values)
        case .keep: word("deal.binds.keep", values)
        }
    }
}

extension Auction {
    /// How it stands, for who looks.
    func standing(at now: Date) -> HTML {
        switch phase {
        case .running where now >= ends: "\(word("deal.phase.closing"))"
        case .running: HTML.word("deal.phase.running", ["time": Wording.time(ends)])
        case .paying where turn != nil:
            HTML.word(
                "deal.phase.turn",
                [
                    "money": "<b>\(turn?.bid.money.words ?? "")</b>",
                    "time": Wording.time(turn.map { Accounts.date($0.until) } ?? now),
                ])
        case .paying: "\(word("deal.phase.paying"))"
        case .sold where isLeading: "\(word("deal.phase.yours"))"
        case .sold: "\(word("deal.phase.sold"))"
        case .unsold: "\(word("deal.phase.unsold"))"
        case .withdrawn: "\(word("deal.phase.withdrawn"))"
        }
    }

    /// The highest bid and how many there are.
    var level: String {
        guard let highest else { return word("deal.level.none", ["money": start.words]) }
        return word("deal.level", ["money": highest.words, "bids": word("deal.bids", count: bidCount)])
    }

    /// What the viewer's own bid is worth; nil without one.
    var ownSentence: String? {
        guard let own else { return nil }
        return isLeading
            ? word("deal.own.leading", ["money": own.words]) : word("deal.own.outbid", ["money": own.words])
    }
}
