/// A contract on paper: who gives whom which rights, in words and tables, and at its end how anybody can check that it is true.
///
/// All words are given. Texts of strangers are cleaned and bounded here; short ones that are too long end with an ellipsis, and a contract
/// whose paragraphs are too long is refused, since none may lose a sentence.
package struct LicencePaper: Hashable, Sendable {
    /// In one or two lines.
    package var title: String
    /// Below it, in one line: what kind of licence, of which work.
    package var subtitle: String
    /// From the top, at most ``mostParts``.
    package var parts: [Part]
    /// Nil for the body that is signed.
    package var seal: Seal?
    /// Stands on every page: the number of the order.
    package var footer: String
    /// What pages are called, with `{page}` and `{pages}`.
    package var pageWords: String

    package static let mostParts = 400
    /// Letters of a paragraph.
    package static let longestParagraph = 10_000
    /// Letters of a value in a table or behind a name.
    package static let longestValue = 300
    package static let mostPages = 40

    package enum Part: Hashable, Sendable {
        case heading(String)
        /// In as many lines and on as many pages as it takes.
        case paragraph(String)
        case facts([Fact])
        case table(Table)
    }

    /// A value with its name beside it.
    package struct Fact: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package struct Column: Hashable, Sendable {
        package let title: String
        /// Of the width, beside the others.
        package let share: Double
        /// A number for machines: its lines may break anywhere.
        package let isCode: Bool

        package init(_ title: String, share: Double = 1, isCode: Bool = false) {
            precondition(share > 0)
            self.title = title
            self.share = share
            self.isCode = isCode
        }
    }

    /// Rows are kept whole; where a page ends the columns' titles are repeated.
    package struct Table: Hashable, Sendable {
        package let columns: [Column]
        package let rows: [[String]]

        /// - Parameters:
        ///   - columns: one to four.
        ///   - rows: missing values are empty, those behind the last column are left out.
        package init(_ columns: [Column], rows: [[String]]) {
            precondition((1...4).contains(columns.count))
            self.columns = columns
            self.rows = rows
        }
    }

    /// How a reader checks that the paper is true.
    package struct Seal: Hashable, Sendable {
        package let heading: String
        /// What to do, in a sentence or two.
        package let text: String
        /// Where: printed whole and as a code for cameras. At most 1,000 bytes.
        package let link: String
        /// The signature and what it is made with, each with its name; digits for machines.
        package let codes: [Fact]

        package init(heading: String, text: String, link: String, codes: [Fact]) {
            self.heading = heading
            self.text = text
            self.link = link
            self.codes = codes
        }
    }

    package init(
        title: String, subtitle: String = "", parts: [Part], seal: Seal? = nil, footer: String = "",
        pageWords: String = "{page}/{pages}"
    ) {
        self.title = title
        self.subtitle = subtitle
        self.parts = parts
        self.seal = seal
        self.footer = footer
        self.pageWords = pageWords
    }

    /// Why there is no paper.
    package typealias Failure = Poster.Failure

    /// The paper as PDF: pages of A4, with their letters in them. The same paper is the same file, byte for byte, on the same machine: it says
    /// nothing of when it was made. Blocks for some ten milliseconds a page, the first time for some hundred while fonts are looked for.
    ///
    /// - Throws: where Cairo, Pango or libqrencode are not installed, memory is short, the link is too long, or the text is longer than
    ///   ``longestParagraph``, ``mostParts`` and ``mostPages`` allow.
    package func pdf() throws(Failure) -> [UInt8] {
        guard parts.count <= Self.mostParts else {
            throw Failure(description: "a licence has at most \(Self.mostParts) paragraphs")
        }
        let code = try seal.map { seal throws(Failure) in try QRCode(seal.link, keeping: .some) }
        let sheet = try PaperSheet(title: PrintedText.clean(title, 200))
        defer { sheet.end() }
        var layout = LicenceLayout(paper: self, code: code, sheet: sheet)
        try layout.lay()
        layout.draw()
        return try sheet.file()
    }
}
