import ChirpAudio
import ChirpCodecs
import ChirpMP3
import Foundation
import Testing

/// The recordings in `Samples/`: what their README says of them is true.
struct SampleReaderTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let form: String
        var testDescription: String { name }
    }

    static let folder = URL(filePath: #filePath).appending(path: "../../../Samples").standardized

    /// The table of the README.
    static let rows: [Row] = {
        let text = (try? String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return Row(name: cells[0].trimmingCharacters(in: ["`"]), form: cells[1])
        }
    }()

    @Test(arguments: rows)
    func `every sample is as its README describes it, and read whole`(_ row: Row) throws {
        let result = try ReaderTestResult(Self.folder.appending(path: row.name).path(percentEncoded: false))
        let channels = [1: "mono", 2: "stereo", 6: "5.1"][result.sourceChannels] ?? "?"
        let rate = Double(result.format.sampleRate) / 1000
        let seconds = (result.format.seconds(ofFrames: result.frames) * 10).rounded() / 10
        let form = "\(rate.formatted()) kHz \(channels), \(result.sourceFormat.dropFirst(4)), \(seconds.formatted()) s"
        #expect(form == row.form)
        #expect(result.codes == (channels == "5.1" ? ["input-mixed-down"] : []))
        let peak = result.planes[0].reduce(0) { max($0, abs($1)) }
        #expect(row.name == "silence.wav" ? peak == 0 : peak > 0.005)
    }

    @Test func `they are all described, and take less than 3 MB`() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder, includingPropertiesForKeys: [.fileSizeKey])
        let names = Set(files.map(\.lastPathComponent))
        #expect(names == Set(Self.rows.map(\.name) + ["README.md"]))
        let sizes = try files.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
        #expect(sizes.reduce(0, +) < 3_000_000)
    }

    @Test func `tags of a WAV are read`() throws {
        let path = Self.folder.appending(path: "tagged.wav").path(percentEncoded: false)
        let file = try AudioFile(opening: path, name: "tagged.wav")
        let tags = file.sourceTags
        #expect(tags == ID3Tag(title: "The beach", artist: "Chirp", comment: "A sample with tags"))
    }
}
