/// What is asked for something (AR-16).
package enum Price: Hashable, Sendable {
    case free
    case fixed(Money)
    /// Whoever wants it says what it is worth, and the seller agrees or not.
    case offer

    /// The price of an amount: nothing is free.
    package init(_ money: Money) { self = money.amount == 0 ? .free : .fixed(money) }
}
