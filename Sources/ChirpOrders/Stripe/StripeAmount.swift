/// Amounts as Stripe counts them, which is in the smallest unit but for some currencies (docs.stripe.com/currencies, "Zero-decimal
/// currencies" and "Special cases"): ISK and UGX, which have none, with two decimals; MGA, which has two, without; and of three decimals
/// the last is 0.
enum StripeAmount {
    /// - Throws: ``PaymentError/refused(provider:reason:)`` for what cannot be paid there.
    static func number(_ money: Money) throws(PaymentError) -> Int64 {
        let fits =
            switch money.currency.code {
            case "MGA": money.amount % 100 == 0
            default: money.currency.exponent < 3 || money.amount % 10 == 0
            }
        let number: Int64
        switch money.currency.code {
        case "MGA": number = money.amount / 100
        case "ISK", "UGX":
            let (product, isTooMuch) = money.amount.multipliedReportingOverflow(by: 100)
            number = isTooMuch ? .max : product
        default: number = money.amount
        }
        guard fits, (1...Money.most).contains(number) else {
            throw .refused(provider: Stripe.name, reason: "\(money) is no amount that it takes")
        }
        return number
    }

    /// Nil for what is no currency, or no amount of it.
    static func money(_ number: Int64, _ currency: String) -> Money? {
        guard let currency = Currency(currency) else { return nil }
        switch currency.code {
        case "MGA":
            let (product, isTooMuch) = number.multipliedReportingOverflow(by: 100)
            return isTooMuch ? nil : Money(product, currency)
        case "ISK", "UGX": return number % 100 == 0 ? Money(number / 100, currency) : nil
        default: return Money(number, currency)
        }
    }
}
