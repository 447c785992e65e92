/// A currency by its code in ISO 4217. Stands in for the type of the same name and form of the module of orders until that is here: this
/// file goes then.
package struct Currency: Hashable, Sendable {
    /// Three capital letters.
    package let code: String

    /// Nil for what can be none.
    package init?(_ code: some StringProtocol) {
        guard code.utf8.count == 3, code.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) else {
            return nil
        }
        self.code = String(code)
    }
}

/// An amount of a currency in its smallest unit (AR-16), so that nothing is ever rounded. Stands in as ``Currency`` does.
package struct Money: Hashable, Sendable {
    /// In the smallest unit: cents of EUR, yen of JPY.
    package let amount: Int64
    package let currency: Currency

    package init(_ amount: Int64, _ currency: Currency) {
        self.amount = amount
        self.currency = currency
    }

    /// The most that anything costs: payment services take eight digits.
    package static let most: Int64 = 99_999_999
}
