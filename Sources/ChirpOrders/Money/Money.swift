/// An amount of a currency in its smallest unit (AR-16), so that no sum is ever rounded.
package struct Money: Hashable, Sendable, CustomStringConvertible {
    /// In the smallest unit: cents of EUR, yen of JPY.
    package let amount: Int64
    package let currency: Currency

    /// The most that anything costs, in the smallest unit: payment services take eight digits.
    package static let most: Int64 = 99_999_999

    package init(_ amount: Int64, _ currency: Currency) {
        self.amount = amount
        self.currency = currency
    }

    /// Why an amount cannot be used.
    package enum Fault: Error, Hashable, Sendable {
        case empty
        /// Something else than digits with at most one point or comma.
        case notANumber
        /// More decimals than the currency has.
        case tooPrecise(decimals: Int)
        /// In whole units, as in ``Money/digits``.
        case tooMuch(most: String)
        /// Two currencies in one sum.
        case otherCurrency(Currency, Currency)
    }

    /// What somebody has typed: `12`, `12.5` or `12,50`. Neither signs nor separators of thousands, which read differently
    /// in different places.
    ///
    /// - Throws: ``Fault``; also above ``most``.
    package init(_ text: some StringProtocol, _ currency: Currency) throws(Fault) {
        let trimmed = text.utf8.drop { $0 == 0x20 }
        let bytes = Array(trimmed.reversed().drop { $0 == 0x20 }.reversed())
        guard !bytes.isEmpty else { throw .empty }
        let parts = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        guard parts.count <= 2, let whole = parts.first, !whole.isEmpty,
            parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } }), parts.count == 1 || !parts[1].isEmpty
        else { throw .notANumber }
        let decimals = parts.count == 2 ? Array(parts[1]) : []
        guard decimals.count <= currency.exponent else { throw .tooPrecise(decimals: currency.exponent) }
        let padding = [UInt8](repeating: 0x30, count: currency.exponent - decimals.count)
        var amount: Int64 = 0
        for digit in whole + decimals + padding {
            let (tens, isFar) = amount.multipliedReportingOverflow(by: 10)
            let (sum, isFarther) = tens.addingReportingOverflow(Int64(digit - 0x30))
            guard !isFar, !isFarther, sum <= Self.most else {
                throw .tooMuch(most: Money(Self.most, currency).digits)
            }
            amount = sum
        }
        self.init(amount, currency)
    }

    /// The sum.
    ///
    /// - Throws: ``Fault/otherCurrency(_:_:)``, or ``Fault/tooMuch(most:)`` when it does not fit.
    package func adding(_ other: Money) throws(Fault) -> Money {
        guard currency == other.currency else { throw .otherCurrency(currency, other.currency) }
        let (sum, isTooMuch) = amount.addingReportingOverflow(other.amount)
        guard !isTooMuch else { throw .tooMuch(most: Money(.max, currency).digits) }
        return Money(sum, currency)
    }

    /// The difference.
    ///
    /// - Throws: as ``adding(_:)``.
    package func subtracting(_ other: Money) throws(Fault) -> Money {
        guard currency == other.currency else { throw .otherCurrency(currency, other.currency) }
        let (difference, isTooMuch) = amount.subtractingReportingOverflow(other.amount)
        guard !isTooMuch else { throw .tooMuch(most: Money(.max, currency).digits) }
        return Money(difference, currency)
    }

    /// In whole units with all decimals and a point, as in `12.50`: what ``init(_:_:)`` understands, and what pages word in their language.
    package var digits: String {
        var digits = String(amount.magnitude)
        if currency.exponent > 0 {
            let missing = currency.exponent + 1 - digits.utf8.count
            if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -currency.exponent))
        }
        return (amount < 0 ? "-" : "") + digits
    }

    /// As in `12.50 EUR`.
    package var description: String { "\(digits) \(currency)" }
}
