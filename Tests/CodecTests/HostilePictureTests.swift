import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Foundation
import Testing

/// Pictures that are none, or lie: each is refused in words, or becomes a clean picture (boards.md 5.1.11).
struct HostilePictureTests {
    private func refusal(_ bytes: [UInt8]) -> String? {
        do throws(AudioError) {
            _ = try ItemPicture(bytes, name: "a")
            return nil
        } catch {
            return error.whatHappened
        }
    }

    private func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        // The checksum does not matter to what is looked at here, but to libpng.
        let body = Array(kind.utf8) + content
        var sum = UInt32.max
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return big(content.count) + body + big(Int(sum ^ .max))
    }

    private func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

    @Test func `a head of 30,000 x 30,000 pixels is refused before there is room for them`() throws {
        let png =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(30_000) + big(30_000) + [8, 2, 0, 0, 0]) + chunk("IDAT", [0x78, 0x01])
            + chunk("IEND", [])
        #expect(refusal(png)?.contains("30000 x 30000") == true)
        var jpeg = try ItemPictureTests.fixture("1.jpg")
        let start = try #require(jpeg.firstRange(of: [0xFF, 0xC0, 0, 17, 8])).upperBound
        jpeg.replaceSubrange(start..<start + 4, with: [0x75, 0x30, 0x75, 0x30])
        #expect(refusal(jpeg)?.contains("megapixels") == true)
        var gif = try ItemPictureTests.fixture("still.gif")
        gif.replaceSubrange(6..<10, with: [0x30, 0x75, 0x30, 0x75])
        #expect(refusal(gif)?.contains("megapixels") == true)
    }

    @Test func `a part of a PNG that is longer than the file is refused before there is room for it`() throws {
        var png = try ItemPictureTests.fixture("1.png")
        let place = try #require(png.firstRange(of: Array("eXIf".utf8))).lowerBound
        png.replaceSubrange(place - 4..<place, with: [0x49, 0x6E, 0x74, 0xA4])
        #expect(refusal(png) != nil)
        #expect(throws: AudioError.self) { _ = try CoverPicture(png, name: "a") }
    }

    @Test func `a GIF of a million frames costs what its first frame costs`() throws {
        var gif = try ItemPictureTests.fixture("still.gif")
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        gif.removeLast()
        for _ in 0..<1_000_000 { gif += frame }
        gif.append(0x3B)
        let clock = ContinuousClock()
        let time = clock.measure { #expect(refusal(gif) == nil) }
        #expect(time < .seconds(5))
    }

    @Test(arguments: [
        "PK\u{3}\u{4}", "Rar!\u{1A}\u{7}\u{1}\u{0}", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "%PDF-1.7",
        "II*\u{0}",
        "BM", "8BPS", "", "GIF", "RIFF\u{0}\u{0}\u{0}\u{0}WAVE",
        "\u{0}\u{0}\u{0}\u{18}ftypmp42\u{0}\u{0}\u{0}\u{0}mp42isom",
        "#EXTM3U\nfile:///etc/passwd", "\u{1F}\u{8B}",
    ])
    func `archives, films, drawings and documents are refused`(head: String) {
        #expect(refusal(Array(head.utf8) + [UInt8](repeating: 0, count: 400)) != nil)
    }

    @Test func `a picture of another kind is refused by its name`() throws {
        #expect(refusal(try ItemPictureTests.fixture("other.avif"))?.contains("AVIF") == true)
        #expect(refusal([UInt8](repeating: 0xFF, count: ItemPicture.mostSourceBytes + 1))?.contains("20 MB") == true)
    }

    private static let whole = [
        "1.jpg", "progressive.jpg", "inks.jpg", "1.png", "still.gif", "moving.gif", "lossy.webp", "1.webp",
        "moving.webp",
        "hole.webp", "6.heic", "grid.heic", "hole.heic", "exif.heic",
    ]

    @Test(arguments: whole)
    func `what is cut short is refused, or gives what there is of it`(name: String) throws {
        let bytes = try ItemPictureTests.fixture(name)
        var refused = 0
        for count in stride(from: 0, to: bytes.count - 1, by: max(1, bytes.count / 40)) {
            if refusal(Array(bytes.prefix(count))) != nil { refused += 1 }
        }
        // At the end there may be nothing that it needs, such as a second frame.
        #expect(refused >= 20)
    }

    /// Mutations from a fixed seed; another one finds other things: `CHIRP_FUZZ_SEED=7`.
    @Test(arguments: whole)
    func `flipped bits, lies about sizes and doubled parts end in a picture or in a refusal`(name: String) throws {
        let bytes = try ItemPictureTests.fixture(name)
        var state = HostileFileTests.seed &* 0x9E37_79B9_7F4A_7C15 &+ name.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) }
        func random(_ limit: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(limit))
        }
        for _ in 0..<400 {
            var hostile = bytes
            for _ in 0...random(4) {
                let place = random(hostile.count)
                switch random(5) {
                case 0: hostile[place] ^= 1 << UInt8(random(8))
                case 1: hostile[place] = [0, 1, 0x7F, 0x80, 0xFF][random(5)]
                case 2:
                    let width = [2, 4, 8][random(3)]
                    let value = UInt64.max >> UInt64(random(64))
                    for index in 0..<width where place + index < hostile.count {
                        hostile[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (width - 1 - index)))
                    }
                case 3: hostile.removeSubrange(place..<min(hostile.count, place + 1 + random(16)))
                default:
                    let part = hostile[place..<min(hostile.count, place + 1 + random(64))]
                    hostile.insert(contentsOf: part, at: place)
                }
                if hostile.isEmpty { hostile = [0] }
            }
            do throws(AudioError) {
                let picture = try ItemPicture(hostile, name: "a")
                #expect(
                    picture.files.allSatisfy {
                        $0.jpeg.starts(with: [0xFF, 0xD8]) && $0.width <= 1600 && $0.height <= 1600
                    })
            } catch {
                #expect(!error.whatHappened.isEmpty)
            }
        }
    }
}
