import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Foundation
import Testing

/// Pictures of things: whatever a telephone or a browser makes becomes three upright JPEGs without metadata. The files are made by
/// Tests/Fixtures/pictures/make; all show red and green above, blue and yellow below.
struct ItemPictureTests {
    static func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).appending(path: "../../Fixtures/pictures").standardized
        return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    /// The pixels of a JPEG as another program decodes it.
    private struct Pixels {
        let width, height: Int
        let bytes: [UInt8]

        init(_ file: ItemPicture.File) throws {
            let folder = try TemporaryFolder()
            try Data(file.jpeg).write(to: URL(filePath: folder.path("a.jpg")))
            let result = try ExternalProgram("ffmpeg").run([
                "-v", "error", "-i", folder.path("a.jpg"), "-f", "rawvideo", "-pix_fmt", "rgb24", folder.path("a.raw"),
            ])
            try #require(result.status == 0, "\(result.errors)")
            bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.path("a.raw"))))
            (width, height) = (file.width, file.height)
            try #require(bytes.count == 3 * width * height)
        }

        func isLike(_ colour: [Int], x: Double, y: Double) -> Bool {
            let at = 3 * (Int(y * Double(height)) * width + Int(x * Double(width)))
            return zip(bytes[at..<at + 3], colour).allSatisfy { abs(Int($0) - $1) <= 30 }
        }

        /// Red and green in the upper third, blue and yellow below.
        var isChart: Bool {
            isLike([220, 30, 30], x: 0.25, y: 0.15) && isLike([30, 180, 30], x: 0.75, y: 0.15)
                && isLike([30, 30, 220], x: 0.25, y: 0.6) && isLike([230, 220, 40], x: 0.75, y: 0.6)
        }
    }

    /// No marker segments but those that decoding needs.
    private func isPlain(_ jpeg: [UInt8]) -> Bool {
        var place = 2
        while place + 4 <= jpeg.count, jpeg[place] == 0xFF {
            let marker = jpeg[place + 1]
            if marker == 0xD9 { return false }
            if 0xE1...0xEF ~= marker || marker == 0xFE { return false }
            if marker == 0xDA { return true }
            place += 2 + Int(jpeg[place + 2]) << 8 + Int(jpeg[place + 3])
        }
        return false
    }

    private static let kinds = ["jpg", "png", "webp", "heic"]
    private static let turned = kinds.flatMap { kind in (1...8).map { "\($0).\(kind)" } }

    @Test(arguments: turned)
    func `every format is upright, whichever way it lies`(name: String) throws {
        let picture = try ItemPicture(Self.fixture(name), name: name)
        #expect(picture.files.count == 3)
        for file in picture.files {
            // Never larger than it was.
            #expect(file.width == 96 && file.height == 66)
        }
        #expect(try Pixels(picture.files[2]).isChart)
    }

    @Test(arguments: turned + ["exif.heic", "large.png", "grid.heic"])
    func `nothing that was said of place, maker and time is in any byte`(name: String) throws {
        let source = try Self.fixture(name)
        for file in try ItemPicture(source, name: name).files {
            #expect(isPlain(file.jpeg))
            for secret in ["Exif", "SECRETMAKER", "GPS", "http", "ICC", "MM\0*", "II*\0"] {
                #expect(file.jpeg.firstRange(of: Array(secret.utf8)) == nil, "\(secret)")
            }
        }
    }

    @Test(arguments: [
        ("still.gif", 96, 66), ("moving.gif", 96, 66), ("moving.webp", 96, 66), ("lossy.webp", 96, 66),
        ("progressive.jpg", 96, 66), ("inks.jpg", 96, 66), ("grid.heic", 300, 210), ("grid-turned.heic", 300, 210),
        ("large.png", 1600, 1100), ("large.gif", 1600, 1035), ("large.webp", 1600, 1100), ("large.heic", 1600, 1100),
    ])
    func `what moves gives its first frame, what is large is made smaller`(name: String, width: Int, height: Int) throws
    {
        let picture = try ItemPicture(Self.fixture(name), name: name)
        #expect(picture.files.last?.width == width && picture.files.last?.height == height)
        #expect(try picture.files.allSatisfy { try Pixels($0).isChart })
        for (file, side) in zip(picture.files, ItemPicture.sides) {
            #expect(max(file.width, file.height) == min(side, max(width, height)))
        }
    }

    @Test(arguments: ["hole.png", "hole.gif", "hole.webp", "hole.heic"])
    func `what is transparent is white`(name: String) throws {
        let pixels = try Pixels(try #require(ItemPicture(Self.fixture(name), name: name).files.last))
        #expect(pixels.isLike([255, 255, 255], x: 0.5, y: 38.0 / 66))
        #expect(pixels.isChart)
    }

    @Test(arguments: ["grey.jpg", "grey.heic"])
    func `grey stays grey`(name: String) throws {
        let pixels = try Pixels(try #require(ItemPicture(Self.fixture(name), name: name).files.last))
        #expect(pixels.isLike([87, 87, 87], x: 0.25, y: 0.15) && pixels.isLike([202, 202, 202], x: 0.75, y: 0.6))
    }

    @Test func `Exif alone turns no HEIC, as the standard has it`() throws {
        let picture = try ItemPicture(Self.fixture("exif.heic"), name: "a")
        #expect(picture.files.last?.width == 66 && picture.files.last?.height == 96)
    }

    @Test func `a large JPEG keeps its shape in each size`() throws {
        let folder = try TemporaryFolder()
        let made = try ExternalProgram("ffmpeg").run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=4000x3000,noise=alls=60:all_seed=3", "-frames:v", "1",
            "-q:v", "3", folder.path("a.jpg"),
        ])
        try #require(made.status == 0)
        let picture = try ItemPicture([UInt8](Data(contentsOf: URL(filePath: folder.path("a.jpg")))), name: "a")
        #expect(picture.files.map(\.width) == [320, 800, 1600] && picture.files.map(\.height) == [240, 600, 1200])
        for (file, most) in zip(picture.files, ItemPicture.mostBytes) { #expect(file.jpeg.count <= most) }
    }

    @Test func `one picture has one print, in whatever format and size`() throws {
        let folder = try TemporaryFolder()
        func made(_ name: String, _ options: [String] = []) throws -> [UInt8] {
            let result = try ExternalProgram("ffmpeg").run(
                ["-v", "error", "-f", "lavfi", "-i", "mandelbrot=size=1200x900", "-frames:v", "1"] + options + [
                    folder.path(name)
                ])
            try #require(result.status == 0, "\(result.errors)")
            return try ItemPicture([UInt8](Data(contentsOf: URL(filePath: folder.path(name)))), name: name).print
        }
        let first = try made("a.png")
        for other in [
            try made("a.jpg", ["-q:v", "8"]), try made("a.webp"), try made("a.gif"),
            try made("small.jpg", ["-vf", "scale=300:225"]),
        ] {
            #expect(zip(first, other).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount } <= 31)
        }
        let mirrored = try made("b.png", ["-vf", "hflip,vflip"])
        #expect(zip(first, mirrored).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount } > 31)
    }

    /// Printed by another program, see Tests/Fixtures/pictures/make. The pictures are sums of waves.
    @Test func `prints are those of other programs`() throws {
        let text = String(decoding: try Self.fixture("prints.txt"), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            let (width, height, seed) = (
                try #require(Int(fields[0])), try #require(Int(fields[1])), try #require(Double(fields[2]))
            )
            var body: [UInt8] = []
            for y in 0..<height {
                for x in 0..<width {
                    for part in 0..<3 {
                        let value =
                            127 + 60 * sin(Double(x) * (seed + Double(part)) / 37)
                            + 60 * cos(Double(y) * (seed + 2 * Double(part)) / 23)
                        body.append(UInt8(min(max(value, 0), 255)))
                    }
                }
            }
            let folder = try TemporaryFolder()
            try (Data("P6 \(width) \(height) 255\n".utf8) + Data(body)).write(to: URL(filePath: folder.path("a.ppm")))
            let made = try ExternalProgram("ffmpeg").run([
                "-v", "error", "-i", folder.path("a.ppm"), folder.path("a.png"),
            ])
            try #require(made.status == 0, "\(made.errors)")
            let picture = try ItemPicture([UInt8](Data(contentsOf: URL(filePath: folder.path("a.png")))), name: "a")
            let expected = stride(from: 0, to: 64, by: 2).compactMap {
                UInt8(fields[3].dropFirst($0).prefix(2), radix: 16)
            }
            let distance = zip(picture.print, expected).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
            #expect(expected.count == 32 && distance <= 4, "\(line): \(distance)")
            #expect(abs(picture.quality - (Int(fields[4]) ?? -1)) <= 2, "\(line): \(picture.quality)")
        }
    }
}
