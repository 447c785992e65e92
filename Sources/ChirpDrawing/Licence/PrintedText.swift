/// Text from outside, made safe to print among words that others must be able to trust.
struct PrintedText {
    /// Without what turns, hides or covers letters.
    let text: String
    /// Nothing that is read was cut off.
    let isWhole: Bool

    /// More marks than any script puts on a letter would be drawn over the lines beside it.
    private static let mostMarks = 4
    private static let isolate: Unicode.Scalar = "\u{2068}"
    private static let isolateEnd: Unicode.Scalar = "\u{2069}"

    /// Controls and separators become spaces, and runs of them one. Marks of direction go, but the isolates that whoever writes a name
    /// into a sentence puts around it (Unicode Standard Annex #9, 2.5) stay, in pairs: what is within them cannot turn what is outside.
    ///
    /// - Parameter most: letters as people count them, each with the few marks and joiners that it may have.
    init(_ text: some StringProtocol, most: Int) {
        var (scalars, isSpace, isWithin, marks, isWhole) = (String.UnicodeScalarView(), true, false, 0, true)
        var (count, seen) = (0, 0)
        for scalar in text.unicodeScalars {
            // What is left out takes time too.
            seen += 1
            guard count < 4 * most, seen <= 16 * most else {
                isWhole = false
                break
            }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                marks = 0
                if isSpace { continue }
                isSpace = true
                scalars.append(" ")
            case .format where scalar == (isWithin ? Self.isolateEnd : Self.isolate):
                scalars.append(scalar)
                isWithin.toggle()
            // Zero-width joiners make letters of some scripts.
            case .format where scalar != "\u{200C}" && scalar != "\u{200D}": continue
            case .surrogate, .privateUse, .unassigned: continue
            case .nonspacingMark, .enclosingMark:
                marks += 1
                if marks > Self.mostMarks { continue }
                scalars.append(scalar)
                isSpace = false
            default:
                scalars.append(scalar)
                (isSpace, marks) = (false, 0)
            }
            count += 1
        }
        if scalars.last == " " { scalars.removeLast() }
        var cleaned = String(scalars)
        if cleaned.count > most { (cleaned, isWhole) = (String(cleaned.prefix(most)), false) }
        let isOpen = cleaned.unicodeScalars.reduce(false) {
            $1 == Self.isolate ? true : $1 == Self.isolateEnd ? false : $0
        }
        self.text = isOpen ? cleaned + String(Self.isolateEnd) : cleaned
        self.isWhole = isWhole
    }

    /// The same, ending with an ellipsis where it is longer.
    static func clean(_ text: some StringProtocol, _ most: Int) -> String {
        let printed = Self(text, most: most)
        return printed.isWhole ? printed.text : printed.text + "…"
    }
}
