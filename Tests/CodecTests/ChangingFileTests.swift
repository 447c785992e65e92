import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpTestKit
import Foundation
import Testing

/// Files that change under the reader's hands (W-2): it ends in sound or in an error, whatever their size becomes.
struct ChangingFileTests {
    enum Change: CaseIterable { case emptied, cut, longer, replaced, removed }

    @Test(arguments: ["a.wav", "a.flac", "a.ogg", "a.opus", "a.mp3", "a.aiff", "a.w64", "film.ogg"], Change.allCases)
    func `a file that changes while it is read ends in sound or in an error`(_ name: String, _ change: Change) throws {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.path("source.wav"), folder.path(name))
        let wav = ReaderTestWav(data: ReaderTestWav.samples16(ReaderTestWav.signal(frames: 96_000)))
        try Data(wav.bytes).write(to: URL(filePath: source))
        let pictures = ["-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=2", "-c:v", "libtheora", "-c:a", "libvorbis"]
        let made = try ExternalProgram("ffmpeg").run(
            ["-v", "error", "-nostdin", "-i", source] + (name == "film.ogg" ? pictures : []) + ["-y", path])
        try #require(made.status == 0, "\(made.errors)")
        let size = try Data(contentsOf: URL(filePath: path)).count

        var file = try AudioFile(opening: path, name: name)
        var block = AudioBlock(format: file.format, capacity: 4096)
        var frames = try file.read(into: &block) ? block.frames : 0
        switch change {
        case .emptied: truncate(path, 0)
        case .cut: truncate(path, size / 2)
        case .longer: truncate(path, size * 3)
        case .replaced: try Data(repeating: 0xFF, count: size).write(to: URL(filePath: path))
        case .removed: unlink(path)
        }
        do throws(AudioError) {
            while try file.read(into: &block) { frames += block.frames }
            _ = (file.notes, file.sourceTags)
            try file.seek(toFrame: 10)
            while try file.read(into: &block) {}
        } catch {
            #expect(error.exitCode == .badInput || error.exitCode == .inputOutput)
        }
        // What was there when the file was opened, and no more.
        #expect(frames <= 96_000 + 2304)
        if change == .removed || change == .longer { #expect(frames >= 95_000) }
        if name == "a.wav", change == .cut { #expect(file.notes.map(\.code) == ["input-truncated"]) }
    }
}
