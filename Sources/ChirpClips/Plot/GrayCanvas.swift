internal import ChirpAudio
internal import ChirpCodecs

/// A picture of four shades.
struct GrayCanvas {
    enum Shade: UInt8 {
        case black = 0
        case dark = 0x55
        case light = 0xAA
    }

    private var picture: GrayPicture

    init(width: Int, height: Int) { picture = GrayPicture(width: width, height: height) }

    /// Pixels outside are left out.
    mutating func set(_ x: Int, _ y: Int, _ shade: Shade = .black) {
        guard x >= 0, x < picture.width, y >= 0, y < picture.height else { return }
        picture.pixels[y * picture.width + x] = shade.rawValue
    }

    mutating func fill(_ xs: Range<Int>, _ ys: Range<Int>, _ shade: Shade = .black) {
        for y in ys { for x in xs { set(x, y, shade) } }
    }

    /// Writes figures and the few letters of ``SmallFont`` at twice their size.
    ///
    /// - Parameter x: the left edge, or the right one when `endsThere`.
    mutating func write(_ text: String, x: Int, y: Int, endsThere: Bool = false) {
        var left = endsThere ? x - text.count * 12 : x
        for character in text {
            for (row, bits) in SmallFont.rows(of: character).enumerated() {
                for column in 0..<5 where bits & (16 >> UInt8(column)) != 0 {
                    fill((left + 2 * column)..<(left + 2 * column + 2), (y + 2 * row)..<(y + 2 * row + 2))
                }
            }
            left += 12
        }
    }

    /// The file.
    func png() throws(AudioError) -> [UInt8] { try picture.png() }
}

/// Five by seven dots for figures and the letters that a ``Plot`` needs.
enum SmallFont {
    /// Seven rows from the top, the leftmost dot in bit 4; nothing for an unknown character.
    static func rows(of character: Character) -> [UInt8] { glyphs[character] ?? Array(repeating: 0, count: 7) }

    private static let glyphs: [Character: [UInt8]] = [
        "0": [14, 17, 19, 21, 25, 17, 14], "1": [4, 12, 4, 4, 4, 4, 14], "2": [14, 17, 1, 2, 4, 8, 31],
        "3": [31, 2, 4, 2, 1, 17, 14], "4": [2, 6, 10, 18, 31, 2, 2], "5": [31, 16, 30, 1, 1, 17, 14],
        "6": [6, 8, 16, 30, 17, 17, 14], "7": [31, 1, 2, 4, 8, 8, 8], "8": [14, 17, 17, 14, 17, 17, 14],
        "9": [14, 17, 17, 15, 1, 2, 12], "-": [0, 0, 0, 31, 0, 0, 0], ".": [0, 0, 0, 0, 0, 12, 12],
        ":": [0, 12, 12, 0, 12, 12, 0], ">": [8, 4, 2, 1, 2, 4, 8], "L": [16, 16, 16, 16, 16, 16, 31],
        "U": [17, 17, 17, 17, 17, 17, 14], "F": [31, 16, 16, 30, 16, 16, 16], "S": [15, 16, 16, 14, 1, 1, 30],
        "B": [30, 17, 17, 30, 17, 17, 30], "T": [31, 4, 4, 4, 4, 4, 4], "P": [30, 17, 17, 30, 16, 16, 16],
        "a": [0, 0, 14, 1, 15, 17, 15], "b": [16, 16, 22, 25, 17, 17, 30], "c": [0, 0, 14, 16, 16, 17, 14],
        "d": [1, 1, 13, 19, 17, 17, 15], "e": [0, 0, 14, 17, 31, 16, 14], "g": [0, 15, 17, 17, 15, 1, 14],
        "i": [4, 0, 12, 4, 4, 4, 14], "n": [0, 0, 22, 25, 17, 17, 17], "p": [0, 0, 30, 17, 30, 16, 16],
        "s": [0, 0, 14, 16, 14, 1, 30], "v": [0, 0, 17, 17, 17, 10, 4], "w": [0, 0, 17, 17, 21, 21, 10],
    ]
}
