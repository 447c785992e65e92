import ChirpAudio
import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// Sound beside pictures in one Ogg file, page by page in turns (W-1).
struct OggFilmTests {
    private static let pictures = ["-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=3"]

    /// A film, and its sound alone with the same packets.
    private func make(_ coding: [String], in folder: TemporaryFolder) throws -> (film: String, sound: String) {
        let (film, sound) = (folder.path("film.ogg"), folder.path("sound.ogg"))
        let tone = ["-f", "lavfi", "-i", "sine=440:d=3:r=48000"]
        let tags = ["-metadata", "title=of the film", "-metadata:s:a", "title=of the sound"]
        var made = try ExternalProgram("ffmpeg").run(
            ["-v", "error", "-nostdin"] + Self.pictures + tone + ["-c:v", "libtheora"] + coding + tags
                + ["-f", "ogg", "-y", film])
        try #require(made.status == 0, "\(made.errors)")
        made = try ExternalProgram("ffmpeg").run(
            ["-v", "error", "-nostdin", "-i", film, "-map", "0:a", "-c", "copy", "-f", "ogg", "-y", sound])
        try #require(made.status == 0, "\(made.errors)")
        return (film, sound)
    }

    @Test(arguments: [["-c:a", "libvorbis"], ["-c:a", "libopus"], ["-c:a", "flac"]])
    func `the sound of a film is read as if it were alone`(_ coding: [String]) throws {
        let folder = try TemporaryFolder()
        let paths = try make(coding, in: folder)
        let (film, sound) = (try ReaderTestResult(paths.film), try ReaderTestResult(paths.sound))
        #expect(film.planes == sound.planes)
        #expect(film.frames > 140_000)
        #expect(film.notes.isEmpty)
        #expect(film.sourceFormat == sound.sourceFormat)
        let part = try ReaderTestResult(paths.film, from: 50_000, capacity: 999)
        #expect(part.planes[0] == Array(film.planes[0][50_000...]))
        let tags = try AudioFile(opening: paths.film, name: "film").sourceTags
        #expect(tags.title?.hasPrefix("of the") == true)
    }

    @Test func `damage between the pages of a film is passed over`() throws {
        let folder = try TemporaryFolder()
        let paths = try make(["-c:a", "libvorbis"], in: folder)
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: paths.film)))
        // No page any more; what follows still is.
        let middle = try #require(
            (bytes.count / 2..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("OggS".utf8) })
        bytes[middle] = 0
        let result = try ReaderTestResult(bytes, in: folder.url)
        #expect(result.frames > 48_000)
    }

    @Test func `a film without sound is refused, and says so`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("silent.ogv")
        let made = try ExternalProgram("ffmpeg").run(
            ["-v", "error", "-nostdin"] + Self.pictures + Self.pictures
                + ["-map", "0:v", "-map", "1:v", "-c:v", "libtheora", "-y", path])
        try #require(made.status == 0, "\(made.errors)")
        let error = try #require(throws: AudioError.self) { try ReaderTestResult(path) }
        #expect(error.whatHappened.contains("none of its Ogg streams is sound"))
    }
}
