import ChirpDrawing
import ChirpTestKit
import Foundation
import Testing

/// Licences as other programs read them.
@Suite struct LicencePaperTests {
    private let folder: TemporaryFolder
    private static let link = "https://clips.example.org/beats/licences/k3vq8x2m7w4t9r1zAbCdEf"
    private static let signature = String(repeating: "0123456789abcdef", count: 8)

    init() throws { folder = try TemporaryFolder() }

    private func paper(_ change: (inout LicencePaper) -> Void = { _ in }) -> LicencePaper {
        var paper = LicencePaper(
            title: "Licence agreement", subtitle: "WAV lease of Night drive",
            parts: [
                .heading("Parties"), .facts([.init("Licensor", "Jürgen Groß"), .init("Licensee", "Zoë Ångström")]),
                .heading("What is licensed"),
                .table(.init([.init("Right"), .init("How much")], rows: [["Copies sold", "at most 5,000"]])),
                .heading("1. Use"), .paragraph("The licensee may use the recording in one song of her own."),
            ],
            seal: .init(
                heading: "How to check this paper", text: "Open this address.", link: Self.link,
                codes: [.init("Signature", Self.signature)]), footer: "Order k3vq8x2m7w4t9r1zAbCdEf",
            pageWords: "Page {page} of {pages}")
        change(&paper)
        return paper
    }

    private func file(_ pdf: [UInt8]) throws -> String {
        let path = folder.path("licence.pdf")
        try Data(pdf).write(to: URL(filePath: path))
        return path
    }

    /// What a program for reading finds, with spaces for line ends.
    private func text(_ pdf: [UInt8]) throws -> String {
        let read = try ExternalProgram("pdftotext").run(["-layout", try file(pdf), "-"])
        #expect(read.status == 0)
        return read.text.split { $0.isWhitespace }.joined(separator: " ")
    }

    private func pages(_ path: String) throws -> Int? {
        let info = try ExternalProgram("pdfinfo").run([path]).text
        return info.firstMatch(of: #/Pages: +(\d+)/#).flatMap { Int($0.1) }
    }

    private func expectSound(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let check = try ExternalProgram("qpdf").run(["--check", path])
        #expect(check.status == 0, "\(check.text) \(check.errors)", sourceLocation: sourceLocation)
    }

    /// Fifty clauses and a table of as many rows.
    private var long: LicencePaper {
        paper {
            for number in 2...50 {
                $0.parts.append(.heading("\(number). Clause"))
                $0.parts.append(.paragraph(String(repeating: "Sentence \(number) says what holds. ", count: 12)))
            }
            let rows = (1...50).map { ["row \($0)", String(repeating: "words ", count: $0)] }
            $0.parts.append(.table(.init([.init("First column"), .init("Second column", share: 2)], rows: rows)))
        }
    }

    @Test func `a licence is a sound file of A4, whose letters are in it and which has no dates`() throws {
        let path = try file(paper().pdf())
        try expectSound(path)
        let info = try ExternalProgram("pdfinfo").run([path]).text
        #expect(try pages(path) == 1 && info.contains("(A4)") && info.contains("Licence agreement"))
        #expect(!info.contains("CreationDate") && !info.contains("ModDate"))
        let fonts = try ExternalProgram("pdffonts").run([path]).text.split(separator: "\n").dropFirst(2)
        #expect(!fonts.isEmpty)
        for font in fonts { #expect(font.contains(#/ yes +yes +(yes|no) /#), "\(font)") }
    }

    @Test func `the same licence is the same file, and another is another`() throws {
        let first = try paper().pdf()
        #expect(try paper().pdf() == first)
        #expect(try long.pdf() == long.pdf())
        #expect(try paper { $0.footer = "Order 2" }.pdf() != first)
        #expect(try paper { $0.seal = nil }.pdf() != first)
    }

    @Test func `all words are found by who searches, and a camera reads where the licence is checked`() throws {
        let pdf = try paper().pdf()
        let text = try text(pdf)
        for words in [
            "Licence agreement", "WAV lease of Night drive", "Jürgen Groß", "Zoë Ångström", "Copies sold",
            "at most 5,000",
            "one song of her own", Self.link, "Order k3vq8x2m7w4t9r1zAbCdEf", "Page 1 of 1",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        let bare = try ExternalProgram("pdftotext").run(["-raw", try file(pdf), "-"]).text.filter { !$0.isWhitespace }
        #expect(bare.contains(Self.signature))
        let picture = folder.path("page")
        let drawn = try ExternalProgram("pdftoppm").run(["-r", "150", "-png", "-singlefile", try file(pdf), picture])
        #expect(drawn.status == 0)
        #expect(try ExternalProgram("zbarimg").run(["--quiet", "--raw", "\(picture).png"]).text == Self.link)
    }

    @Test func `a long one goes on over pages and loses no line`() throws {
        let path = try file(long.pdf())
        try expectSound(path)
        let count = try #require(try pages(path))
        #expect(count > 3)
        let text = try text(long.pdf())
        for page in 1...count { #expect(text.contains("Page \(page) of \(count)")) }
        for number in 2...50 {
            #expect(text.contains("\(number). Clause"))
            #expect(text.matches(of: try Regex("Sentence \(number) says")).count == 12)
            #expect(text.contains("row \(number)"))
        }
        // The columns' titles stand on each page that the table is on.
        #expect(text.matches(of: #/First column/#).count >= 2)
    }

    @Test(arguments: ["Γιώργος Παπαδόπουλος", "Екатерина Иванова", "张伟", "山田太郎", "נועה לוי"])
    func `names in other scripts are letters, beside their titles and in sentences`(name: String) throws {
        let pdf = try paper {
            $0.parts = [
                .facts([.init("Licensee", name)]), .paragraph("Between Ann and \u{2068}\(name)\u{2069}, both of age."),
            ]
        }.pdf()
        let read = try text(pdf)
        #expect(read.contains("both of age."))
        // Readers of PDF guess where words of some scripts end.
        let bare = read.precomposedStringWithCompatibilityMapping.filter { !$0.isWhitespace }
        let wanted = name.precomposedStringWithCompatibilityMapping
        for word in wanted.split(separator: " ") {
            #expect(bare.components(separatedBy: word).count == 3, "\(word) in \(read)")
        }
    }

    @Test func `Arabic is joined, found, and does not turn the sentence that it stands in`() throws {
        let pdf = try paper {
            $0.parts = [.paragraph("Between \u{2068}محمد الأحمد\u{2069}, 12 Hill Road, and Ann")]
        }.pdf()
        let read = try text(pdf).precomposedStringWithCompatibilityMapping
        #expect(read.contains("محمد") && read.contains("األحمد") || read.contains("الأحمد"), "\(read)")
        // Without its isolate the number would stand before the name.
        let afterwards = try #require(read.range(of: ", 12 Hill Road, and Ann"))
        let name = try #require(read.range(of: "محمد"))
        #expect(name.lowerBound < afterwards.lowerBound)
    }

    @Test func `whatever the texts are, the file is sound, bounded, and checked where it says`() throws {
        let long = String(repeating: "Donaudampfschifffahrtsgesellschaft ", count: 280)
        let hostile = [
            "", " ", long, String(repeating: "W", count: 10_000), "<b>&amp;</b> %s %n \u{1B}[31m {page}",
            "\u{202E}\u{0}\u{FFFD}\u{2066} 日本語 العربية 🎙️", String(decoding: [0xED, 0xA0, 0x80, 0x61], as: UTF8.self),
            String(repeating: "a" + String(repeating: "\u{301}", count: 40), count: 300),
            String(repeating: "line\n", count: 400), String(repeating: "\u{2068}", count: 500) + "x\u{2069}\u{2069}y",
        ]
        for words in hostile {
            let pdf = try paper {
                $0.title = words
                $0.subtitle = words
                $0.parts = [
                    .heading(words), .paragraph(words), .facts([.init(words, words)]),
                    .table(
                        .init([.init(words), .init(words, isCode: true)], rows: [[words, words, words], [words], []])),
                ]
                $0.footer = words
                $0.pageWords = words
            }.pdf()
            let path = try file(pdf)
            try expectSound(path)
            let count = try #require(try pages(path))
            #expect((1...6).contains(count) && pdf.count < 500_000, "\(count) pages, \(pdf.count) bytes")
            // Letters in between may be of hostile length, but the address is whole.
            let bare = try ExternalProgram("pdftotext").run(["-raw", path, "-"]).text.filter { !$0.isWhitespace }
            #expect(bare.contains(Self.link), "\(words.prefix(40))")
        }
    }

    @Test func `what turns or hides letters is not printed`() throws {
        let pdf = try paper { $0.parts = [.paragraph("pays \u{202E}0005\u{202C} EUR\u{200B}\u{0007} to \u{2067}Ann")] }
            .pdf()
        #expect(try text(pdf).contains("pays 0005 EUR to Ann"))
    }

    @Test func `a contract that is too long is refused, not cut`() {
        let tooLong: [(inout LicencePaper) -> Void] = [
            { $0.parts = [.paragraph(String(repeating: "x", count: LicencePaper.longestParagraph + 1))] },
            { $0.parts = Array(repeating: .paragraph("x"), count: LicencePaper.mostParts + 1) },
            { $0.parts = Array(repeating: .paragraph(String(repeating: "word ", count: 1900)), count: 60) },
            {
                $0.seal = .init(
                    heading: "", text: "", link: "https://example.org/" + String(repeating: "x", count: 1000), codes: []
                )
            },
        ]
        for change in tooLong { #expect(throws: LicencePaper.Failure.self) { try paper(change).pdf() } }
    }
}
