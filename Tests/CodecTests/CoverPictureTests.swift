import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Foundation
import Testing

/// Pictures for tags: what comes out is small, plain JPEG, whatever goes in.
struct CoverPictureTests {
    /// Made by ffmpeg: a test chart with noise.
    private func picture(_ name: String, size: String, noise: Int = 20, options: [String] = []) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        let source = "testsrc2=size=\(size),noise=alls=\(noise):all_seed=3"
        let result = try ExternalProgram("ffmpeg").run(
            ["-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "1"] + options + [path])
        try #require(result.status == 0, "\(result.errors)")
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// What ffprobe says it is: codec, width, height.
    private func facts(_ bytes: [UInt8]) throws -> [String] {
        let folder = try TemporaryFolder()
        let path = folder.path("picture.jpg")
        try Data(bytes).write(to: URL(filePath: path))
        return try ExternalProgram("ffprobe").run([
            "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", path,
        ]).text.split(separator: ",").map(String.init)
    }

    @Test(arguments: [
        ("a.png", "640x480", "640", "480"), ("a.png", "3000x2000", "1000", "666"),
        ("a.jpg", "2400x3000", "800", "1000"),
        ("a.png", "30x2000", "15", "1000"), ("a.jpg", "4000x4000", "1000", "1000"), ("a.png", "8x8", "8", "8"),
    ])
    func `a picture becomes a small JPEG`(name: String, size: String, width: String, height: String) throws {
        let bytes = try picture(name, size: size, options: name == "a.jpg" ? ["-q:v", "2"] : [])
        let cover = try CoverPicture(bytes, name: name)
        #expect(cover.jpeg.count <= CoverPicture.mostBytes)
        let facts = try facts(cover.jpeg)
        #expect(facts.first == "mjpeg")
        // Noise may take it below what it could have had.
        #expect(Int(facts[1]).map { $0 <= Int(width) ?? 0 } == true)
        #expect(Int(facts[2]).map { $0 <= Int(height) ?? 0 } == true)
        if size == "640x480" { #expect(facts == ["mjpeg", width, height]) }
    }

    @Test func `pure noise is made small enough too`() throws {
        let bytes = try picture("a.png", size: "2500x2500", noise: 100)
        #expect(try CoverPicture(bytes, name: "a").jpeg.count <= CoverPicture.mostBytes)
    }

    @Test func `a small JPEG keeps its picture and loses everything else`() throws {
        var bytes = try picture("a.jpg", size: "320x240")
        let plain = try CoverPicture(bytes, name: "a").jpeg
        let secret = Array("Exif\0\0 GPS 52.5200 N secret".utf8)
        bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(secret.count + 2)] + secret, at: 2)
        bytes.insert(contentsOf: [0xFF, 0xFE, 0, UInt8(secret.count + 2)] + secret, at: 2)
        bytes += secret
        let cover = try CoverPicture(bytes, name: "a").jpeg
        #expect(cover == plain)
        #expect(try facts(cover) == ["mjpeg", "320", "240"])
    }

    // The corners of what is shown, clockwise from the upper left, by the number of the stored corner (CIPA DC-008, 4.6.4.A).
    @Test(arguments: [
        (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [2, 3, 0, 1]), (4, [3, 2, 1, 0]), (5, [0, 3, 2, 1]),
        (6, [3, 0, 1, 2]), (7, [2, 1, 0, 3]), (8, [1, 2, 3, 0]), (9, [0, 1, 2, 3]),
    ])
    func `a picture of a camera that was held on its side is upright`(orientation: Int, corners: [Int]) throws {
        // Red, green, blue, white, clockwise from the upper left.
        let folder = try TemporaryFolder()
        let path = folder.path("a.jpg")
        let chart =
            "color=red:s=64x32[a];color=lime:s=64x32[b];color=white:s=64x32[c];color=blue:s=64x32[d];"
            + "[a][b]hstack[u];[c][d]hstack[l];[u][l]vstack"
        let made = try ExternalProgram("ffmpeg").run(
            ["-v", "error", "-filter_complex", chart, "-frames:v", "1", "-q:v", "2", path])
        try #require(made.status == 0, "\(made.errors)")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        for isLittle in [true, false] {
            func number(_ value: Int, _ count: Int) -> [UInt8] {
                let big = (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
                return isLittle ? big.reversed() : big
            }
            let entry = number(274, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
            let exif =
                Array("Exif\0\0".utf8) + Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
                + number(1, 2) + entry + number(0, 4)
            let turned = bytes.prefix(2) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + bytes.dropFirst(2)
            let cover = try CoverPicture(Array(turned), name: "a").jpeg
            #expect(cover.firstRange(of: Array("Exif".utf8)) == nil)
            let isLying = 5...8 ~= orientation
            let (width, height) = isLying ? (64, 128) : (128, 64)
            #expect(try facts(cover) == ["mjpeg", "\(width)", "\(height)"])
            let pixels = try ExternalProgram("ffmpeg").run(
                ["-v", "error", "-f", "mjpeg", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], input: cover
            ).output
            try #require(pixels.count == 3 * width * height)
            let places = [(8, 8), (width - 8, 8), (width - 8, height - 8), (8, height - 8)]
            let shown = places.map { x, y -> Int in
                let color = pixels[(3 * (y * width + x))...].prefix(3).map { $0 > 128 }
                return [[true, false, false], [false, true, false], [false, false, true], [true, true, true]]
                    .firstIndex(of: color) ?? -1
            }
            #expect(shown == corners)
        }
    }

    @Test func `transparency becomes white`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.png")
        let result = try ExternalProgram("ffmpeg").run([
            "-v", "error", "-f", "lavfi", "-i", "color=red@0:size=64x64,format=rgba", "-frames:v", "1", path,
        ])
        try #require(result.status == 0, "\(result.errors)")
        let cover = try CoverPicture([UInt8](try Data(contentsOf: URL(filePath: path))), name: "a").jpeg
        let pixels = try ExternalProgram("ffmpeg").run(
            ["-v", "error", "-f", "mjpeg", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], input: cover)
        #expect(pixels.output.count == 64 * 64 * 3 && pixels.output.allSatisfy { $0 > 250 })
    }

    // Not everything that plays clips shows a progressive picture (SOF2, 0xFFC2).
    @Test func `a cover that is made anew is baseline`() throws {
        let cover = try CoverPicture(picture("a.png", size: "640x480"), name: "a").jpeg
        #expect(cover.firstRange(of: [0xFF, 0xC0]) != nil && cover.firstRange(of: [0xFF, 0xC2]) == nil)
    }

    @Test func `a cover that is cut short is grey where it ends`() throws {
        let whole = try picture("a.jpg", size: "320x240")
        let cover = try CoverPicture(Array(whole.prefix(whole.count / 2)), name: "a").jpeg
        #expect(try facts(cover) == ["mjpeg", "320", "240"])
        #expect(throws: AudioError.self) { try ItemPicture(Array(whole.prefix(whole.count / 2)), name: "a") }
    }

    @Test func `other files are refused`() throws {
        for bytes in [[], [0xFF, 0xD8], Array("GIF89a..........".utf8), Array("RIFF....WEBPVP8 ".utf8)] as [[UInt8]] {
            #expect(throws: AudioError.undecodable(name: "a", reason: "a cover is a JPEG or PNG picture")) {
                try CoverPicture(bytes, name: "a")
            }
        }
    }

    @Test func `a bomb is refused by its header`() throws {
        // A PNG header of 60000 x 60000 pixels with a right checksum is enough.
        var header: [UInt8] = Array("IHDR".utf8) + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 2, 0, 0, 0]
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in header {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        crc = ~crc
        header += (0..<4).map { UInt8(truncatingIfNeeded: crc >> (24 - 8 * UInt32($0))) }
        let bytes: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + header + [UInt8](repeating: 0, count: 99)
        #expect(throws: AudioError.self) { try CoverPicture(bytes, name: "a") }
    }

    @Test func `damage is an error or a picture, never a crash`() throws {
        var random = SeededGenerator(seed: 11)
        for name in ["a.png", "a.jpg"] {
            let whole = try picture(name, size: "200x150")
            for round in 0..<300 {
                var bytes = round % 3 == 0 ? Array(whole.prefix(whole.count * round / 300)) : whole
                for _ in 0..<(round % 20) where !bytes.isEmpty {
                    bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                if let cover = try? CoverPicture(bytes, name: "a") {
                    #expect(cover.jpeg.count <= CoverPicture.mostBytes)
                }
            }
        }
    }
}
