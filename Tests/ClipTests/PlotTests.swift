import ChirpAudio
import ChirpClips
import ChirpTestKit
import Foundation
import Testing

struct PlotTests {
    private func plot() throws -> Plot {
        let workplace = try Workplace()
        let format = AudioFormat(sampleRate: 16000, channels: 1)
        var signal = Signal.speech(format, seconds: 4, head: 1, tail: 1)
        signal.planes[0][40000] = 1
        var policy = EditPolicy()
        policy.maximumLength = .seconds(3)
        return try Plot(path: try workplace.source(signal).path, name: "x", policy: policy)
    }

    @Test func `a plot knows where sound is and what a clip would keep`() throws {
        let plot = try plot()
        #expect(abs(plot.seconds - 6) < 0.001 && plot.isCapped)
        #expect(abs(plot.kept.lowerBound - 0.9 / 6) < 0.01 && plot.kept.upperBound <= 3.9 / 6 + 0.001)
        #expect(plot.highest[50] == 0 && plot.loudness[50] == nil)
        #expect(plot.highest[200...700].contains { $0 > 0.1 } && plot.loudness[500] != nil)
        // 2.5 s of 6: column 416, known to the block.
        #expect(plot.overs.count == 1 && (395...435).contains(plot.overs[0]))
    }

    @Test func `the pictures are well formed`() throws {
        let plot = try plot()
        let svg = plot.svg()
        #expect(XMLParserCheck.isWellFormed(svg))
        let png = try plot.png()
        #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(png.count < 200_000)
        // A second opinion on checksums and size.
        let workplace = try Workplace()
        let path = "\(workplace.path)/plot.png"
        try Data(png).write(to: URL(fileURLWithPath: path))
        let words = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path]
        #expect(try ExternalProgram("ffprobe").run(words).text.hasPrefix("1100,560"))
    }

    @Test(arguments: [20, 80, 200])
    func `the terminal's lines fit`(columns: Int) throws {
        let lines = try plot().terminal(columns: columns).split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.count <= columns + 4 })
    }
}

/// Whether every opened element is closed, by counting; enough for a file without text from outside.
private enum XMLParserCheck {
    static func isWellFormed(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        let opened = text.components(separatedBy: "<").count - 1
        let closings = text.components(separatedBy: "</").count - 1
        let alone = text.components(separatedBy: "/>").count - 1
        return text.hasPrefix("<svg ") && opened == 2 * closings + alone
    }
}
