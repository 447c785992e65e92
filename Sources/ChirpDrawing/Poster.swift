/// A sheet for trees, doors and notice boards: what was lost or found, how it looks, and a code that leads to its page.
///
/// All words are given, in whatever language and script. Texts of strangers are bounded and cleaned here; what is too long for its place
/// is written smaller, and cut only when the smallest letters do not fit.
package struct Poster: Hashable, Sendable {
    /// One or two words that are read from across the street: LOST, FOUND.
    package var headline: String
    package var tone: Tone
    package var title: String
    /// Bytes of a JPEG that the hub has made itself, at most 25 megapixels. It is shown whole.
    package var picture: [UInt8]?
    package var text: String
    /// Where, when and the like, in order.
    package var facts: [Fact]
    /// A sentence; empty for none.
    package var reward: String
    /// What to do with the code, in a few words.
    package var invitation: String
    /// The address of the page: what the code holds. Printed without its scheme.
    package var link: String
    /// Whether pieces with the link can be torn off at the bottom.
    package var hasStrips: Bool

    /// What colour the headline stands on.
    package enum Tone: Hashable, Sendable { case lost, found }

    /// One line with its name.
    package struct Fact: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        headline: String, tone: Tone, title: String, picture: [UInt8]? = nil, text: String = "", facts: [Fact] = [],
        reward: String = "", invitation: String, link: String, hasStrips: Bool = true
    ) {
        self.headline = headline
        self.tone = tone
        self.title = title
        self.picture = picture
        self.text = text
        self.facts = facts
        self.reward = reward
        self.invitation = invitation
        self.link = link
        self.hasStrips = hasStrips
    }

    /// Why there is no poster.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The sheet as PDF: one page of A4, with its letters in it. The same poster is the same file, byte for byte, on the same machine.
    /// Blocks for some ten milliseconds, the first time for some hundred while fonts are looked for.
    ///
    /// - Throws: where Cairo, Pango or libqrencode are not installed, memory is short, the picture is no JPEG or the link is too long.
    package func pdf() throws(Failure) -> [UInt8] {
        let code = try QRCode(link, keeping: .quarter)
        let small = try QRCode(link, keeping: .least)
        let picture = try picture.map { bytes throws(Failure) in
            guard let size = JPEGSize(bytes) else { throw Failure(description: "the picture is no JPEG for posters") }
            return (bytes, size)
        }
        let sheet = try PaperSheet(title: "\(Self.clean(headline, 60)): \(Self.clean(title, 200))")
        defer { sheet.end() }
        try PosterLayout(poster: self, code: code, small: small, picture: picture).draw(on: sheet)
        return try sheet.file()
    }

    /// Without what turns or hides letters: controls, marks of direction, and more of anything than has a place.
    static func clean(_ text: String, _ most: Int, keepsLines: Bool = false) -> String {
        var (scalars, isSpace, lines) = (String.UnicodeScalarView(), true, 0)
        for scalar in text.unicodeScalars.prefix(4 * most) {
            if keepsLines, scalar == "\n", lines < 20, !isSpace {
                scalars.append(scalar)
                (isSpace, lines) = (true, lines + 1)
                continue
            }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                if !isSpace { scalars.append(" ") }
                isSpace = true
            // Zero-width joiners make letters of some scripts and emoji; marks of direction turn what stands around them.
            case .format where scalar != "\u{200C}" && scalar != "\u{200D}": continue
            case .surrogate, .privateUse, .unassigned: continue
            default:
                scalars.append(scalar)
                isSpace = false
            }
        }
        let cleaned = String(scalars)
        let cut = cleaned.prefix(most)
        return String(cut.last == " " || cut.last == "\n" ? cut.dropLast() : cut)
    }
}
