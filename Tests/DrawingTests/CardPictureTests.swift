import ChirpDrawing
import Testing

@Suite struct CardPictureTests {
    /// Width and height, as the first chunk of a PNG has them.
    private func size(_ png: [UInt8]) -> [Int] {
        [16, 20].map { start in png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    @Test func `a picture has the size that sites ask for, whatever the title and the sound are`() throws {
        let hostile = [
            "", "A title", String(repeating: "W", count: 5000), "<b>&amp;</b> %s %n",
            "\u{202E}\u{0}\u{FFFD} 日本語 العربية 🎙️",
            String(repeating: "a\u{301}", count: 300),
        ]
        for title in hostile {
            for peaks in [[], [255], Array(repeating: UInt8(128), count: 4096)] {
                let png = try CardPicture(title: title, byline: title, peaks: peaks).png()
                #expect(
                    png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && png.suffix(8).prefix(4) == [0x49, 0x45, 0x4E, 0x44])
                #expect(size(png) == [CardPicture.width, CardPicture.height])
            }
        }
    }

    @Test func `titles and sounds that differ are seen`() throws {
        let first = try CardPicture(title: "One", byline: "Ann", peaks: [10, 200]).png()
        #expect(try CardPicture(title: "One", byline: "Ann", peaks: [10, 200]).png() == first)
        #expect(try CardPicture(title: "Two", byline: "Ann", peaks: [10, 200]).png() != first)
        #expect(try CardPicture(title: "One", byline: "Ann", peaks: [200, 10]).png() != first)
    }
}
