/// A language that contracts are written in. It is the contract's own, not that of whoever reads a page.
package enum LicenceLanguage: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case german = "de"

    /// A word of a contract's tables and headings.
    func word(_ word: LicenceWord) -> String {
        switch self {
        case .english: word.rawValue
        case .german: Self.germanWords[word] ?? word.rawValue
        }
    }

    /// With what stands between thousands where people of this language count.
    func number(_ number: Int) -> String {
        let (digits, separator) = (Array(String(number.magnitude)), self == .english ? "," : ".")
        let parts = stride(from: digits.count, to: 0, by: -3).map { String(digits[max(0, $0 - 3)..<$0]) }
        return (number < 0 ? "-" : "") + parts.reversed().joined(separator: separator)
    }

    func amount(_ amount: LicenceAmount) -> String {
        "\(amount.digits(point: self == .english ? "." : ",")) \(amount.currency)"
    }

    private static let germanWords: [LicenceWord: String] = [
        .contract: "Lizenzvertrag", .parties: "Parteien", .licensor: "Lizenzgeber", .licensee: "Lizenznehmer",
        .subject: "Gegenstand", .work: "Werk", .licence: "Lizenz", .order: "Bestellung", .date: "Datum (UTC)",
        .price: "Preis", .terms: "Was erlaubt ist", .right: "Recht", .extent: "Umfang", .kind: "Art",
        .lease: "einfach: auch andere können sie erwerben", .exclusive: "exklusiv: wird kein zweites Mal vergeben",
        .files: "Dateien", .file: "Datei", .bytes: "Bytes", .stems: "Einzelspuren", .copies: "Verkaufte Exemplare",
        .streams: "Abrufe bei Streaming-Diensten", .time: "Dauer", .years: "Jahre", .oneYear: "1 Jahr",
        .territory: "Gebiet", .world: "weltweit", .credit: "Nennung des Urhebers", .needed: "nötig",
        .notNeeded: "nicht nötig", .profit: "Nutzung gegen Geld", .allowed: "erlaubt", .notAllowed: "nicht erlaubt",
        .unlimited: "ohne Grenze", .atMost: "höchstens", .free: "kostenlos", .agreed: "nach Vereinbarung",
        .earlier: "Frühere Lizenzen, die gültig bleiben", .sold: "Vergeben am", .number: "Nummer",
        .checking: "So lässt sich dieses Papier prüfen",
        .howToCheck:
            "Unter dieser Adresse steht, ob dieses Papier so ausgestellt wurde. Dort lässt sich auch die Datei selbst prüfen.",
        .signature: "Signatur (Ed25519)", .key: "Schlüssel", .digest: "Geprüfter Text (SHA-256)",
        .page: "Seite {page} von {pages}", .textVersion: "Fassung des Textes",
    ]
}

/// Words of contracts, in English.
enum LicenceWord: String, Hashable, Sendable, CaseIterable {
    case contract = "Licence agreement"
    case parties = "Parties"
    case licensor = "Licensor"
    case licensee = "Licensee"
    case subject = "Subject"
    case work = "Work"
    case licence = "Licence"
    case order = "Order"
    case date = "Date (UTC)"
    case price = "Price"
    case terms = "What is allowed"
    case right = "Right"
    case extent = "Extent"
    case kind = "Kind"
    case lease = "non-exclusive: others may obtain it too"
    case exclusive = "exclusive: it is granted to nobody else"
    case files = "Files"
    case file = "File"
    case bytes = "Bytes"
    case stems = "stems"
    case copies = "Copies sold"
    case streams = "Plays at streaming services"
    case time = "Time"
    case years = "years"
    case oneYear = "1 year"
    case territory = "Territory"
    case world = "worldwide"
    case credit = "Credit to the maker"
    case needed = "required"
    case notNeeded = "not required"
    case profit = "Use for profit"
    case allowed = "allowed"
    case notAllowed = "not allowed"
    case unlimited = "without limit"
    case atMost = "at most"
    case free = "free of charge"
    case agreed = "as agreed"
    case earlier = "Earlier licences, which stay valid"
    case sold = "Granted on"
    case number = "Number"
    case checking = "How to check this paper"
    case howToCheck =
        "This address says whether this paper was issued like this. The file itself can be checked there too."
    case signature = "Signature (Ed25519)"
    case key = "Key"
    case digest = "Text that is signed (SHA-256)"
    case page = "Page {page} of {pages}"
    case textVersion = "Version of the text"
}
