import ChirpDrawing
import ChirpTestKit
import Foundation
import Testing

/// Posters as other programs read them.
@Suite struct PosterTests {
    private let folder: TemporaryFolder
    private static let link = "https://clips.example.org/lost-and-found/k3vq8x2m7w4t9r1z"

    init() throws { folder = try TemporaryFolder() }

    private func jpeg(_ size: String = "800x600") throws -> [UInt8] {
        let path = folder.path("picture.jpg")
        let made = try ExternalProgram("ffmpeg").run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=\(size)", "-frames:v", "1", path,
        ])
        #expect(made.status == 0)
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    private func poster(_ change: (inout Poster) -> Void = { _ in }) throws -> Poster {
        var poster = Poster(
            headline: "LOST", tone: .lost, title: "Grey cat with one white paw", picture: try jpeg(),
            text: "Answers to Mimi. Shy: please do not run after her.",
            facts: [
                Poster.Fact(name: "Where", value: "Augustusplatz, Leipzig"),
                Poster.Fact(name: "When", value: "21 November 2026, in the evening"),
            ], reward: "Reward: 50 €", invitation: "Seen her? Tell us here", link: Self.link)
        change(&poster)
        return poster
    }

    private func file(_ pdf: [UInt8], _ name: String = "poster.pdf") throws -> String {
        let path = folder.path(name)
        try Data(pdf).write(to: URL(filePath: path))
        return path
    }

    /// What a program for reading finds, with spaces for line ends.
    private func text(_ pdf: [UInt8]) throws -> String {
        let read = try ExternalProgram("pdftotext").run(["-layout", try file(pdf), "-"])
        #expect(read.status == 0)
        return read.text.split { $0.isWhitespace }.joined(separator: " ")
    }

    /// Everything that a reader of codes finds on the page, at so many dots an inch.
    private func codes(_ pdf: [UInt8], dots: Int = 200) throws -> [String] {
        let picture = folder.path("page")
        let drawn = try ExternalProgram("pdftoppm").run(
            ["-r", "\(dots)", "-png", "-singlefile", try file(pdf), picture])
        #expect(drawn.status == 0)
        let found = try ExternalProgram("zbarimg").run(["--quiet", "--raw", "\(picture).png"])
        return found.text.split(separator: "\n").map(String.init)
    }

    @Test func `a poster is a sound file of one page of A4, whose letters are in it`() throws {
        let path = try file(poster().pdf())
        let check = try ExternalProgram("qpdf").run(["--check", path])
        #expect(check.status == 0, "\(check.text)")
        let info = try ExternalProgram("pdfinfo").run([path]).text
        #expect(info.contains("Pages:           1\n") && info.contains("(A4)"))
        #expect(info.contains("LOST: Grey cat") && !info.contains("CreationDate") && !info.contains("ModDate"))
        let fonts = try ExternalProgram("pdffonts").run([path]).text.split(separator: "\n").dropFirst(2)
        #expect(!fonts.isEmpty)
        for font in fonts { #expect(font.contains(#/ yes +yes +(yes|no) /#), "\(font)") }
    }

    @Test func `the same poster is the same file, and another is another`() throws {
        let first = try poster().pdf()
        #expect(try poster().pdf() == first)
        #expect(try poster { $0.title = "Another" }.pdf() != first)
        #expect(try poster { $0.picture = nil }.pdf() != first)
    }

    @Test func `all words are found by who searches, and the link is read by a camera from sheet and strips`() throws {
        let pdf = try poster().pdf()
        let text = try text(pdf)
        for words in [
            "LOST", "Grey cat with one white paw", "Augustusplatz, Leipzig", "21 November 2026, in the evening",
            "Where",
            "Answers to Mimi.", "Reward: 50 €", "Seen her? Tell us here", "clips.example.org/",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        // Who types it types no hyphen that a line's end has made.
        let bare = try ExternalProgram("pdftotext").run(["-raw", try file(pdf), "-"]).text.filter { !$0.isWhitespace }
        #expect(bare.contains(Self.link.dropFirst(8)))
        let codes = try codes(pdf)
        #expect(codes.count == 8 && Set(codes) == [Self.link])
        #expect(try self.codes(poster { $0.hasStrips = false }.pdf(), dots: 100) == [Self.link])
    }

    @Test(arguments: [
        "Γάτα με ένα άσπρο πόδι", "Серая кошка с белой лапкой", "灰色的猫，一只白爪子", "灰色の猫", "חתולה אפורה",
    ])
    func `names in other scripts are letters, not boxes`(title: String) throws {
        let pdf = try poster { $0.title = title }.pdf()
        let read = try text(pdf).precomposedStringWithCompatibilityMapping
        let wanted = title.precomposedStringWithCompatibilityMapping
        for word in wanted.split(separator: " ") { #expect(read.contains(word), "\(word) in \(read)") }
    }

    @Test func `Arabic is joined and found`() throws {
        let pdf = try poster { $0.title = "قطة رمادية" }.pdf()
        let read = try text(pdf).precomposedStringWithCompatibilityMapping
        #expect(read.contains("قطة") && read.contains("رمادية"), "\(read)")
    }

    @Test func `whatever the texts are, there is one page and the code is read`() throws {
        let long = String(repeating: "Donaudampfschifffahrtsgesellschaft ", count: 500)
        let hostile = [
            "", " ", long, String(repeating: "W", count: 5000), "<b>&amp;</b> %s %n \u{1B}[31m",
            "\u{202E}\u{0}\u{FFFD}\u{2066} 日本語 العربية 🎙️",
            String(repeating: "a" + String(repeating: "\u{301}", count: 40), count: 300),
            String(repeating: "line\n", count: 400),
        ]
        for words in hostile {
            for hasPicture in [true, false] {
                let pdf = try poster {
                    $0.headline = words
                    $0.title = words
                    $0.text = words
                    $0.facts = Array(repeating: Poster.Fact(name: words, value: words), count: 9)
                    $0.reward = words
                    $0.invitation = words
                    if !hasPicture { $0.picture = nil }
                }.pdf()
                let path = try file(pdf)
                #expect(try ExternalProgram("qpdf").run(["--check", path]).status == 0)
                #expect(try ExternalProgram("pdfinfo").run([path]).text.contains("Pages:           1\n"))
                #expect(Set(try codes(pdf, dots: 110)) == [Self.link], "\(words.prefix(40))")
            }
        }
    }

    @Test func `pictures of any shape are shown whole, and what is no picture is refused`() throws {
        for size in ["1600x400", "400x1600", "2x2", "1600x1600"] {
            let picture = try jpeg(size)
            let path = try file(poster { $0.picture = picture }.pdf())
            let listed = try ExternalProgram("pdfimages").run(["-list", path]).text
            let parts = size.split(separator: "x")
            #expect(listed.contains(#/ jpeg /#) && parts.allSatisfy { listed.contains(" \($0) ") }, "\(listed)")
        }
        let good = try jpeg()
        var huge = good
        // A frame header of 60,000 by 60,000.
        let frame = try #require((0..<huge.count - 1).first { huge[$0] == 0xFF && huge[$0 + 1] == 0xC0 })
        for place in 5..<9 { huge[frame + place] = 0xEA }
        for bytes in [[], [0xFF, 0xD8, 0xFF], Array("no picture".utf8), Array(good.prefix(60)), huge] {
            #expect(throws: Poster.Failure.self) { try poster { $0.picture = bytes }.pdf() }
        }
        #expect(throws: Poster.Failure.self) {
            try poster { $0.link = "https://example.org/" + String(repeating: "x", count: 1000) }.pdf()
        }
    }
}
