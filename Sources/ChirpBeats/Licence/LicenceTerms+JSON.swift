internal import FoundationEssentials

extension LicenceTerms {
    /// The same terms are the same text: keys are sorted, and what has no limit is left out.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Whole numbers, texts and truth values can all be written.
        guard let data = try? encoder.encode(Record(self)) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    /// What ``json`` has written; nil for anything else, and for terms that cannot be offered.
    package init?(json: some StringProtocol) {
        guard json.utf8.count <= 4096, let record = try? JSONDecoder().decode(Record.self, from: Data(json.utf8)),
            let terms = record.terms, terms.faults.isEmpty
        else { return nil }
        self = terms
    }

    private struct Record: Codable {
        let kind: String
        let files: [String]
        let copies, streams, years: Int?
        let countries: [String]?
        let credit, profit: Bool
        /// Amount in the smallest unit with its currency; both missing where the price is a word.
        let amount: Int64?
        let currency: String?
        let decimals: Int?
        let price: String?

        init(_ terms: LicenceTerms) {
            kind = terms.kind.rawValue
            files = terms.files.map(\.rawValue)
            (copies, streams, years) = (terms.limits.copies, terms.limits.streams, terms.limits.years)
            if case .countries(let codes) = terms.limits.territory { countries = codes } else { countries = nil }
            (credit, profit) = (terms.limits.needsCredit, terms.limits.allowsProfit)
            switch terms.price {
            case .amount(let money):
                (amount, currency, decimals, price) = (money.smallest, money.currency, money.decimals, nil)
            case .free: (amount, currency, decimals, price) = (nil, nil, nil, "free")
            case .offer: (amount, currency, decimals, price) = (nil, nil, nil, "offer")
            }
        }

        var terms: LicenceTerms? {
            let files = files.compactMap { File(rawValue: $0) }
            guard let kind = Kind(rawValue: kind), files.count == self.files.count else { return nil }
            let price: LicencePrice
            switch (self.price, amount, currency, decimals) {
            case ("free", nil, nil, nil): price = .free
            case ("offer", nil, nil, nil): price = .offer
            case (nil, let amount?, let currency?, let decimals?):
                price = .amount(LicenceAmount(amount, currency, decimals: decimals))
            default: return nil
            }
            let limits = LicenceLimits(
                copies: copies, streams: streams, years: years,
                territory: countries.map { .countries($0) } ?? .world, needsCredit: credit, allowsProfit: profit)
            return LicenceTerms(kind: kind, files: files, limits: limits, price: price)
        }
    }
}
