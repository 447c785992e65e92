internal import ChirpCommunity
internal import ChirpWeb

/// What somebody has typed to offer a licence: kept as it is until it is right. Programs send the same names.
struct OfferForm {
    private(set) var values: [OfferField: String] = [:]
    var files: Set<LicenceTerms.File> = []
    /// What it takes the place of.
    var old: HubID?

    subscript(_ field: OfferField) -> String {
        get { values[field] ?? "" }
        set { values[field] = newValue }
    }

    /// What was sent.
    init(one: (String) -> String, list: (String) -> [String]) {
        for field in OfferField.allCases where !one(field.rawValue).isEmpty { self[field] = one(field.rawValue) }
        files = Set(list(OfferField.files.rawValue).compactMap { LicenceTerms.File(rawValue: $0) })
        old = HubID(one("old"))
        if self[.price].isEmpty { self[.price] = self[.amount].isEmpty ? "offer" : "amount" }
    }

    /// A template's, with those of its files that there are.
    init(_ template: LicenceTemplate, text: HubID, files there: Set<LicenceTerms.File>, currency: TrackPrice.Currency) {
        self.init(
            name: template.name(in: .here), text: text, terms: template.terms(at: .offer), currency: currency)
        self[.price] = "amount"
        files.formIntersection(there)
    }

    /// What is offered now.
    init(_ offer: LicenceOffer) {
        self.init(name: offer.name, text: offer.text, terms: offer.terms, currency: .eur)
        old = offer.id
    }

    private init(name: String, text: HubID, terms: LicenceTerms, currency: TrackPrice.Currency) {
        (self[.name], self[.text], files) = (name, text.text, Set(terms.files))
        let limits = terms.limits
        for (field, count) in [(OfferField.copies, limits.copies), (.streams, limits.streams), (.years, limits.years)] {
            self[field] = count.map(String.init) ?? ""
        }
        (self[.credit], self[.profit]) = (limits.needsCredit ? "yes" : "", limits.allowsProfit ? "yes" : "")
        self[.exclusive] = terms.kind == .exclusive ? "yes" : ""
        self[.currency] = currency.rawValue
        switch terms.price {
        case .amount(let amount):
            (self[.price], self[.amount], self[.currency]) = ("amount", amount.digits(), amount.currency)
        case .free: self[.price] = "free"
        case .offer: self[.price] = "offer"
        }
    }

    /// - Throws: what is wrong, field by field.
    func read() throws(OfferRefusal) -> OfferDraft {
        var faults: [OfferField: OfferFault] = [:]
        func isOn(_ field: OfferField) -> Bool { ["yes", "true", "on", "1"].contains(self[field].lowercased()) }
        func count(_ field: OfferField, most: Int) -> Int? {
            let text = self[field].filter { !$0.isWhitespace }
            guard !text.isEmpty else { return nil }
            guard let number = text.integer(in: 1...Int32(clamping: most)) else {
                faults[field] = .outOfRange(1, most)
                return nil
            }
            return number
        }
        let limits = LicenceLimits(
            copies: count(.copies, most: LicenceLimits.mostTimes),
            streams: count(.streams, most: LicenceLimits.mostTimes),
            years: count(.years, most: LicenceLimits.mostYears),
            needsCredit: isOn(.credit), allowsProfit: isOn(.profit))
        var price = LicencePrice.offer
        switch self[.price] {
        case "offer": break
        case "free": price = .free
        case "amount":
            let currency = TrackPrice.Currency(rawValue: self[.currency].isEmpty ? "EUR" : self[.currency])
            if currency == nil { faults[.currency] = .unknown }
            let amount = currency.flatMap { TrackPrice.amount(typed: self[.amount], $0) }
            if let currency, let amount, amount <= LicenceAmount.most {
                price = .amount(LicenceAmount(amount, currency.rawValue, decimals: currency.decimals))
            } else if currency != nil {
                faults[.amount] = self[.amount].isEmpty ? .missing : .noAmount
            }
        default: faults[.price] = .unknown
        }
        let text = HubID(self[.text])
        if text == nil { faults[.text] = .missing }
        if self[.name].isEmpty { faults[.name] = .missing }
        if files.isEmpty { faults[.files] = .missing }
        guard faults.isEmpty, let text else { throw .fields(faults) }
        return OfferDraft(
            name: self[.name], text: text,
            terms: LicenceTerms(
                kind: isOn(.exclusive) ? .exclusive : .lease, files: files, limits: limits, price: price))
    }
}

extension LicenceLanguage {
    /// That of the page that is made.
    static var here: LicenceLanguage { Language.current == .german ? .german : .english }
}
