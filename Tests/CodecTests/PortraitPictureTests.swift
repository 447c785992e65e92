import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Foundation
import Testing

/// Pictures of people: square, small and made anew, whatever goes in.
struct PortraitPictureTests {
    /// Made by ffmpeg: a test chart.
    private func picture(_ name: String, size: String) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let result = try ExternalProgram("ffmpeg").run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size)", "-frames:v", "1", folder.path(name),
        ])
        try #require(result.status == 0, "\(result.errors)")
        return [UInt8](try Data(contentsOf: URL(filePath: folder.path(name))))
    }

    /// What ffprobe says it is: codec, width, height.
    private func facts(_ bytes: [UInt8]) throws -> [String] {
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: URL(filePath: folder.path("picture.jpg")))
        return try ExternalProgram("ffprobe").run([
            "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
            folder.path("picture.jpg"),
        ]).text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ",").map(String.init)
    }

    @Test(arguments: [
        ("a.png", "640x480", "400"), ("a.jpg", "640x480", "400"), ("a.jpg", "4000x3000", "400"),
        ("a.png", "1200x2000", "400"), ("a.png", "400x400", "400"), ("a.png", "64x128", "64"),
    ])
    func `a picture becomes a square`(name: String, size: String, side: String) throws {
        let portrait = try PortraitPicture(picture(name, size: size), name: name)
        #expect(try facts(portrait.jpeg) == ["mjpeg", side, side])
        #expect(portrait.jpeg.count < 200_000)
    }

    @Test func `nothing of the metadata is left`() throws {
        var bytes = try picture("a.jpg", size: "320x240")
        let secret = Array("Exif\0\0 GPS 52.5200 N secret".utf8)
        bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(secret.count + 2)] + secret, at: 2)
        bytes += secret
        let portrait = try PortraitPicture(bytes, name: "a").jpeg
        #expect(portrait.firstRange(of: Array("secret".utf8)) == nil)
        #expect(portrait.firstRange(of: Array("Exif".utf8)) == nil)
    }

    @Test func `what is no picture is refused`() throws {
        let png = try picture("a.png", size: "64x64")
        for bytes in [[], Array("GIF89a".utf8), Array("<svg/>".utf8), Array(png.prefix(60)), [0xFF, 0xD8, 0xFF]] {
            #expect(throws: AudioError.self) { try PortraitPicture(bytes, name: "a") }
        }
        #expect(throws: AudioError.self) {
            try PortraitPicture(png + [UInt8](repeating: 0, count: PortraitPicture.mostSourceBytes), name: "a")
        }
    }
}
