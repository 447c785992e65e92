internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials

extension Auction {
    /// As programs read it; amounts in whole units with a point.
    func write(_ json: inout JSONText, now: Date) {
        json.field("id", id.text)
        json.field("track", item.text)
        json.field("state", phase.rawValue)
        json.field("currency", start.currency.code)
        json.field("start", start.digits)
        json.field("step", Money(step, start.currency).digits)
        json.field("ends", ends)
        // So that whoever counts down goes by the clock that decides.
        json.field("now", now)
        json.field("version", version)
        json.field("bids", bidCount)
        json.field("highest", highest?.digits)
        json.field("needed", needed.digits)
        json.field("isLeading", isLeading)
        json.field("own", own?.digits)
        json.field("payUntil", turn.map { Accounts.date($0.until) })
        json.field("toPay", turn?.bid.money.digits)
    }
}

extension Money {
    func write(_ json: inout JSONText) {
        json.field("amount", digits)
        json.field("currency", currency.code)
    }
}
