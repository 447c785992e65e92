import ChirpListings
import Testing

/// Texts are compared by the words that tell something of a thing.
@Suite struct MatchWordsTests {
    @Test func `words are compared without accents and endings, and shown as they were written`() {
        let words = MatchWords("Schwarze Schlüssel mit Ringen; keys")
        #expect(words.stems == ["schwarz", "schlussel", "ring", "key"])
        #expect(words.written["schlussel"] == "schlüssel")
        for (one, other) in [
            ("schwarzer", "schwarzen"), ("Hunde", "Hund"), ("bikes", "bike"), ("kleines", "klein"), ("braune", "braun"),
            ("folders", "folder"), ("keys", "key"), ("Grün", "grünes"),
        ] {
            #expect(MatchWords(one).stems == MatchWords(other).stems, "\(one) and \(other)")
        }
    }

    @Test func `every form of a stem has that stem`() {
        for word in ["schwarzer", "taschen", "keys", "wallet", "ring", "uhren", "blue", "bag"] {
            let stem = MatchWords(word).stems.first ?? ""
            let forms = MatchWords.forms(of: stem)
            #expect(forms.contains(word), "\(word)")
            for form in forms where form.count > 4 {
                // A cut that leaves a little more is one more word of the question, and nothing worse.
                let again = MatchWords(form).stems.first ?? ""
                #expect(stem.hasPrefix(again) || again.hasPrefix(stem), "\(form)")
            }
        }
        #expect(MatchWords.forms(of: "4711") == ["4711"])
    }

    @Test func `what stands in every text is left out`() {
        #expect(MatchWords("I have lost my and the, with it").stems.isEmpty)
        #expect(MatchWords("Ich habe den und die mit dem verloren, bitte").stems.isEmpty)
        // A thing in English, a verb in German.
        #expect(MatchWords("hat").stems == ["hat"])
    }

    @Test func `a compound has its parts at its ends`() {
        #expect(MatchWords.isPart("tasch", of: "handtasch") && MatchWords.isPart("schlusselbund", of: "schlussel"))
        #expect(!MatchWords.isPart("ring", of: "ring") && !MatchWords.isPart("red", of: "redwood"))
        #expect(!MatchWords.isPart("tasch", of: "untaschig"))
    }

    @Test func `hostile texts cost no more than others`() {
        let long = (0..<5000).map { "w\($0)x" }.joined(separator: " ")
        #expect(MatchWords(long).stems.count <= 80)
        #expect(MatchWords("\u{202E}<b>ключ</b>").stems.contains("ключ"))
        #expect(MatchWords(String(repeating: "a\u{301}", count: 4000)).stems.count == 1)
    }
}
