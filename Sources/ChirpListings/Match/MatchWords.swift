/// The words of a text as they are compared: by their stems, without accents, and without those that stand in every text.
package struct MatchWords: Hashable, Sendable {
    /// Each with the word as it was written first, in small letters.
    package private(set) var written: [String: String] = [:]

    /// The most stems that are compared; nobody describes a thing in more.
    private static let most = 80

    package var stems: Set<String> { Set(written.keys) }

    package init(_ text: String) {
        for word in Self.pieces(of: text) where written.count < Self.most {
            let plain = Self.plain(word)
            guard !Self.empty.contains(plain) else { continue }
            let stem = Self.stem(plain)
            if written[stem] == nil { written[stem] = word }
        }
    }

    /// The words of a text: its runs of letters and digits in small letters without accents, those of one letter left out.
    package static func all(of text: String) -> Set<String> { Set(pieces(of: text).map(plain)) }

    /// In small letters, at most 400.
    private static func pieces(of text: String) -> [String] {
        text.lowercased().unicodeScalars.split(whereSeparator: { !isOfWords($0) }).lazy.filter {
            $0.dropFirst().first != nil
        }
        .prefix(400).map { String($0) }
    }

    /// Letters with their marks, and digits.
    private static func isOfWords(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x80 else {
            return (0x61...0x7A).contains(scalar.value) || (0x30...0x39).contains(scalar.value)
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }

    /// A word without its ending, so that "keys" is "key" and "schwarzen" is "schwarzer". What languages have in their endings differs;
    /// these are of English and German, short, and cut from both sides alike: a wrong cut does no harm.
    static func stem(_ word: String) -> String {
        guard word.utf8.count > 3, word.utf8.contains(where: { $0 > 0x39 }) else { return word }
        var stem = word[...]
        if stem.hasSuffix("s"), !stem.hasSuffix("ss") { stem.removeLast() }
        if stem.utf8.count > 4, ["er", "en", "em"].contains(where: stem.hasSuffix) { return String(stem.dropLast(2)) }
        if stem.utf8.count > 3, stem.hasSuffix("e") { stem.removeLast() }
        return String(stem)
    }

    /// How a word of a stem may be written.
    package static func forms(of stem: String) -> [String] {
        guard stem.utf8.allSatisfy({ $0 > 0x39 && $0 < 0x80 }) else { return [stem] }
        return ["", "e", "en", "er", "es", "em", "s"].map { stem + $0 }
    }

    /// One of the two is the other with something before or behind it, as in compounds: "Tasche" and "Handtasche".
    package static func isPart(_ one: String, of other: String) -> Bool {
        let (short, long) = one.utf8.count < other.utf8.count ? (one.utf8, other.utf8) : (other.utf8, one.utf8)
        guard short.count > 3, short.count < long.count else { return false }
        return long.starts(with: short) || long.suffix(short.count).elementsEqual(short)
    }

    /// Words that say nothing of a thing, in the languages of the pages: how often others say them does not tell where there are only a
    /// few. None of them is a thing in the other language; "hat" is, and is left to how often it is said.
    private static let empty: Set<String> = Set(
        """
        a an and any are as at away be been before behind but by can could did do does for from get got had has have he her him his how i if in
        into is it its just last left may me must my near not nothing of off on only or our out over please probably seen she since so
        some somebody somewhere still than thank thanks that the their them then there these they this to today under until up us very was
        we went were what when where which who whose will with without would yesterday you your
        lost missing found finder owner looking
        aber alle als am an auf aus bei beim bis bitte da dabei damit dann das dass dem den der des dich die dir doch dort du ein eine
        einem einen einer eines er es etwas euch gestern gewesen habe haben hatte heute hier ich ihm ihn ihr im in irgendwo ist ja
        jemand kann kein keine konnte lag leider mein meine meinem meinen meiner mich mir mit nach nicht noch nur ob oder schon sehr sein
        seine seit sich sie sind so und uns unser unsere vielen vom von vor wahrscheinlich waren wem wenn wer wie wir wird wo wurde zu
        zuletzt zum zur
        verloren vermisst vermissen gesucht suche gefunden fundsache abhandengekommen eigentumer danke
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Without accents, as far as an accent is a sign of its own behind a letter or the letter is of Latin script.
    private static func plain(_ word: String) -> String {
        guard !word.utf8.allSatisfy({ $0 < 0x80 }) else { return word }
        return word.unicodeScalars.reduce(into: "") { text, scalar in
            if let letter = letters[scalar] { return text.append(letter) }
            if !scalar.properties.isDiacritic { text.unicodeScalars.append(scalar) }
        }
    }

    private static let letters: [Unicode.Scalar: Character] = {
        let rows: [(Character, String)] = [
            ("a", "àáâãäåāăą"), ("c", "çćĉċč"), ("d", "ďđ"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"), ("i", "ìíîïĩīĭįı"),
            ("l", "ĺļľł"), ("n", "ñńņň"), ("o", "òóôõöøōŏő"), ("r", "ŕŗř"), ("s", "śŝşšș"), ("t", "ţťț"),
            ("u", "ùúûüũūŭůűų"), ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
        ]
        return rows.reduce(into: [:]) { all, row in for scalar in row.1.unicodeScalars { all[scalar] = row.0 } }
    }()
}
