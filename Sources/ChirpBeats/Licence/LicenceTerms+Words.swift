extension LicenceTerms {
    /// What they say, line by line: what is meant, and how much of it.
    package func lines(in language: LicenceLanguage) -> [(name: String, extent: String)] {
        [
            (.kind, language.word(kind == .lease ? .lease : .exclusive)),
            (.files, fileWords(in: language)),
            (.copies, Self.times(limits.copies, language)),
            (.streams, Self.times(limits.streams, language)),
            (.time, timeWords(in: language)),
            (.territory, territoryWords(in: language)),
            (.credit, language.word(limits.needsCredit ? .needed : .notNeeded)),
            (.profit, language.word(limits.allowsProfit ? .allowed : .notAllowed)),
        ].map { (name: LicenceWord, extent: String) in (language.word(name), extent) }
    }

    /// What of a text follows from the terms alone.
    func values(in language: LicenceLanguage) -> [LicenceVariable: String] {
        [
            .amount: price.words(in: language), .files: fileWords(in: language),
            .copies: Self.times(limits.copies, language), .streams: Self.times(limits.streams, language),
            .time: timeWords(in: language), .territory: territoryWords(in: language),
            .credit: language.word(limits.needsCredit ? .needed : .notNeeded),
            .profit: language.word(limits.allowsProfit ? .allowed : .notAllowed),
        ]
    }

    func fileWords(in language: LicenceLanguage) -> String {
        files.map { $0 == .stems ? language.word(.stems) : $0.rawValue.uppercased() }.joined(separator: ", ")
    }

    static func times(_ count: Int?, _ language: LicenceLanguage) -> String {
        count.map { "\(language.word(.atMost)) \(language.number($0))" } ?? language.word(.unlimited)
    }

    func timeWords(in language: LicenceLanguage) -> String {
        switch limits.years {
        case nil: language.word(.unlimited)
        case 1: language.word(.oneYear)
        case let years?: "\(years) \(language.word(.years))"
        }
    }

    func territoryWords(in language: LicenceLanguage) -> String {
        switch limits.territory {
        case .world: language.word(.world)
        case .countries(let codes): codes.joined(separator: ", ")
        }
    }
}

extension LicencePrice {
    package func words(in language: LicenceLanguage) -> String {
        switch self {
        case .amount(let amount): language.amount(amount)
        case .free: language.word(.free)
        case .offer: language.word(.agreed)
        }
    }
}
