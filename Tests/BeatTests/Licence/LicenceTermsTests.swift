import ChirpBeats
import Testing

@Suite struct LicenceTermsTests {
    private let euros = LicencePrice.amount(LicenceAmount(4900, "EUR", decimals: 2))

    private func terms(_ change: (inout LicenceTerms) -> Void = { _ in }) -> LicenceTerms {
        var terms = LicenceTerms(
            kind: .lease, files: [.wav, .mp3, .wav],
            limits: LicenceLimits(copies: 5000, streams: 250_000, years: 10), price: euros)
        change(&terms)
        return terms
    }

    @Test func `files are named once and in one order`() {
        #expect(terms().files == [.mp3, .wav])
        #expect(LicenceTemplate.stems.terms(at: .free).files == [.mp3, .wav, .stems])
    }

    @Test func `what cannot be offered is told field by field`() {
        #expect(terms().faults.isEmpty)
        let cases: [(LicenceField, LicenceFault, (inout LicenceTerms) -> Void)] = [
            (.files, .missing, { $0 = LicenceTerms(kind: .lease, files: [], price: .free) }),
            (.copies, .outOfRange(1, 1_000_000_000), { $0.limits.copies = 0 }),
            (.streams, .outOfRange(1, 1_000_000_000), { $0.limits.streams = .max }),
            (.years, .outOfRange(1, 99), { $0.limits.years = 100 }),
            (.territory, .missing, { $0.limits.territory = .countries([]) }),
            (.territory, .unknown, { $0.limits.territory = .countries(["DE", "de"]) }),
            (.territory, .tooMany(most: 60), { $0.limits.territory = .countries(Array(repeating: "DE", count: 61)) }),
            (.price, .unknown, { $0.price = .amount(LicenceAmount(0, "EUR", decimals: 2)) }),
            (.price, .unknown, { $0.price = .amount(LicenceAmount(100_000_000, "EUR", decimals: 2)) }),
            (.price, .unknown, { $0.price = .amount(LicenceAmount(1, "eur", decimals: 2)) }),
        ]
        for (field, fault, change) in cases { #expect(terms(change).faults == [field: fault]) }
    }

    @Test func `terms that were written down are the same when they are read, and have one form`() throws {
        let all = [
            terms(), terms { $0.limits.territory = .countries(["AT", "DE"]) }, terms { $0.price = .free },
            terms { $0.price = .offer }, terms { $0.limits = LicenceLimits(needsCredit: false, allowsProfit: false) },
            terms { $0.kind = .exclusive }, terms { $0.price = .amount(LicenceAmount(1, "JPY", decimals: 0)) },
        ]
        for terms in all {
            #expect(LicenceTerms(json: terms.json) == terms)
            #expect(try #require(LicenceTerms(json: terms.json)).json == terms.json)
        }
        #expect(Set(all.map(\.json)).count == all.count)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"kind":"lease","files":["exe"],"credit":true,"profit":true,"price":"free"}"#,
        #"{"kind":"loan","files":["mp3"],"credit":true,"profit":true,"price":"free"}"#,
        #"{"kind":"lease","files":["mp3"],"credit":true,"profit":true}"#,
        #"{"kind":"lease","files":["mp3"],"credit":true,"profit":true,"price":"free","amount":1}"#,
        #"{"kind":"lease","files":["mp3"],"years":0,"credit":true,"profit":true,"price":"free"}"#,
        String(repeating: "[", count: 100_000),
    ])
    func `what is none is not read`(json: String) { #expect(LicenceTerms(json: json) == nil) }

    @Test func `amounts have all their decimals`() {
        let cases: [(Int64, String, Int, String)] = [
            (4900, "EUR", 2, "49.00"), (5, "EUR", 2, "0.05"), (120, "JPY", 0, "120"), (1, "KWD", 3, "0.001"),
            (99_999_999, "EUR", 2, "999999.99"),
        ]
        for (smallest, currency, decimals, digits) in cases {
            #expect(LicenceAmount(smallest, currency, decimals: decimals).digits() == digits)
        }
    }

    @Test func `every line is worded in both languages`() throws {
        let english = terms().lines(in: .english).map(\.extent)
        #expect(
            english == [
                "non-exclusive: others may obtain it too", "MP3, WAV", "at most 5,000", "at most 250,000", "10 years",
                "worldwide", "required", "allowed",
            ])
        let german = terms { $0.limits.years = 1 }.lines(in: .german)
        #expect(german.contains { $0.name == "Verkaufte Exemplare" && $0.extent == "höchstens 5.000" })
        #expect(german.contains { $0.extent == "1 Jahr" })
        // A word that nobody has translated would be the English one.
        let names = (terms().lines(in: .english), terms().lines(in: .german))
        for (one, other) in zip(names.0, names.1) { #expect(one.name != other.name) }
        #expect(euros.words(in: .english) == "49.00 EUR" && euros.words(in: .german) == "49,00 EUR")
    }
}
