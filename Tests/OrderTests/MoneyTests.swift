import ChirpOrders
import ChirpTestKit
import Testing

@Suite struct MoneyTests {
    @Test(arguments: [
        ("12", "EUR", 1200), ("12.5", "EUR", 1250), ("12,50", "EUR", 1250), (" 0.01 ", "EUR", 1), ("0", "EUR", 0),
        ("500", "JPY", 500), ("1.234", "KWD", 1234), ("999999.99", "EUR", 99_999_999), ("007", "USD", 700),
    ])
    func `an amount is read in its smallest unit`(_ text: String, _ code: String, _ amount: Int64) throws {
        let currency = try #require(Currency(code))
        let money = try Money(text, currency)
        #expect(money.amount == amount)
        // What it says is what it reads.
        #expect(try Money(money.digits, currency) == money)
    }

    @Test(arguments: [
        ("", "EUR", Money.Fault.empty), ("   ", "EUR", .empty), ("-1", "EUR", .notANumber), ("+1", "EUR", .notANumber),
        ("1,000.00", "EUR", .notANumber), ("1.", "EUR", .notANumber), (".5", "EUR", .notANumber),
        ("1e3", "EUR", .notANumber), ("١٢", "EUR", .notANumber), ("1 000", "EUR", .notANumber),
        ("0x10", "EUR", .notANumber), ("1.234", "EUR", .tooPrecise(decimals: 2)),
        ("1.0", "JPY", .tooPrecise(decimals: 0)),
        ("1000000.00", "EUR", .tooMuch(most: "999999.99")),
        ("99999999999999999999999", "JPY", .tooMuch(most: "99999999")),
    ])
    func `what is no amount is refused with its reason`(_ text: String, _ code: String, _ fault: Money.Fault) throws {
        let currency = try #require(Currency(code))
        #expect(throws: fault) { try Money(text, currency) }
    }

    @Test func `an amount is worded with all its decimals`() throws {
        let (eur, jpy, kwd) = try (#require(Currency("eur")), #require(Currency("JPY")), #require(Currency("KWD")))
        #expect(Money(5, eur).description == "0.05 EUR")
        #expect(Money(-1250, eur).description == "-12.50 EUR")
        #expect(Money(500, jpy).description == "500 JPY")
        #expect(Money(1, kwd).description == "0.001 KWD")
        #expect(Money(.min, eur).digits == "-92233720368547758.08")
    }

    @Test func `sums never overflow and never mix currencies`() throws {
        let (eur, usd) = try (#require(Currency("EUR")), #require(Currency("USD")))
        #expect(try Money(3, eur).adding(Money(4, eur)) == Money(7, eur))
        #expect(try Money(3, eur).subtracting(Money(4, eur)) == Money(-1, eur))
        #expect(throws: Money.Fault.self) { try Money(.max, eur).adding(Money(1, eur)) }
        #expect(throws: Money.Fault.self) { try Money(.min, eur).subtracting(Money(1, eur)) }
        #expect(throws: Money.Fault.otherCurrency(eur, usd)) { try Money(1, eur).adding(Money(1, usd)) }
    }

    @Test func `only currencies of countries are currencies`() {
        for code in ["XXX", "XAU", "EU", "EURO", "E1R", "ＥＵＲ", "", "DEM"] { #expect(Currency(code) == nil, "\(code)") }
        #expect(Currency("bhd")?.exponent == 3)
    }

    @Test func `a thousand amounts at random survive being written and read`() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for code in ["EUR", "JPY", "TND", "ISK"] {
            let currency = try #require(Currency(code))
            for _ in 0..<250 {
                let money = Money(Int64.random(in: 0...Money.most, using: &generator), currency)
                #expect(try Money(money.digits, currency) == money, "\(seed)")
            }
        }
    }
}
