/// The licences that a producer can begin with: terms and texts that came with the program. They are templates and no legal advice, which
/// each text says itself; owners and producers replace them.
package enum LicenceTemplate: String, Hashable, Sendable, CaseIterable {
    case mp3, wav, stems, unlimited, exclusive

    /// What it is called in the shop.
    package func name(in language: LicenceLanguage) -> String {
        switch (self, language) {
        case (.mp3, .english): "MP3 lease"
        case (.wav, .english): "WAV lease"
        case (.stems, .english): "Stems lease"
        case (.unlimited, .english): "Unlimited lease"
        case (.exclusive, .english): "Exclusive licence"
        case (.mp3, .german): "MP3-Lizenz"
        case (.wav, .german): "WAV-Lizenz"
        case (.stems, .german): "Lizenz mit Einzelspuren"
        case (.unlimited, .german): "Unbegrenzte Lizenz"
        case (.exclusive, .german): "Exklusive Lizenz"
        }
    }

    /// Its terms but for the price.
    package func terms(at price: LicencePrice) -> LicenceTerms {
        switch self {
        case .mp3:
            LicenceTerms(
                kind: .lease, files: [.mp3], limits: LicenceLimits(copies: 2000, streams: 50_000, years: 5),
                price: price)
        case .wav:
            LicenceTerms(
                kind: .lease, files: [.mp3, .wav], limits: LicenceLimits(copies: 5000, streams: 250_000, years: 10),
                price: price)
        case .stems:
            LicenceTerms(
                kind: .lease, files: LicenceTerms.File.allCases,
                limits: LicenceLimits(copies: 10_000, streams: 1_000_000, years: 10), price: price)
        case .unlimited:
            LicenceTerms(kind: .lease, files: LicenceTerms.File.allCases, limits: LicenceLimits(), price: price)
        case .exclusive:
            LicenceTerms(
                kind: .exclusive, files: LicenceTerms.File.allCases, limits: LicenceLimits(), price: price)
        }
    }

    /// Its text. All leases have one: what differs is in their terms.
    ///
    /// - Throws: never for those that are here, which a test reads.
    package func text(in language: LicenceLanguage) throws(LicenceText.Fault) -> LicenceText {
        let title = language.word(.contract)
        let body =
            switch (self == .exclusive, language) {
            case (false, .english): LicenceTemplateTexts.englishLease
            case (true, .english): LicenceTemplateTexts.englishExclusive
            case (false, .german): LicenceTemplateTexts.germanLease
            case (true, .german): LicenceTemplateTexts.germanExclusive
            }
        return try LicenceText(title: title, body: body, language: language)
    }

    /// Under what name its text's versions are kept.
    func line(in language: LicenceLanguage) -> String {
        "template-\(self == .exclusive ? "exclusive" : "lease")-\(language.rawValue)"
    }
}
