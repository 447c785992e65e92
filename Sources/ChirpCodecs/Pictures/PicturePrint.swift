internal import Glibc

/// What a picture looks like, in 256 bits: PDQ, as its authors describe it ("The TMK+PDQF Video-Hashing Algorithm and the PDQ
/// Image-Hashing Algorithm", 2019). Pictures made of the same one differ in few bits: up to 31 of them say "the same".
struct PicturePrint: Hashable, Sendable {
    /// The first bit is the greatest of the first byte.
    let bits: [UInt8]
    /// 0...100: how much there is to be seen. Below 50 the bits say little.
    let quality: Int

    /// Of the square that all pictures are brought to.
    private static let side = 64
    /// Of the part of its frequencies that counts, the lowest without the mean.
    private static let waves = 16

    init(_ picture: RGBPicture) {
        let small = Self.square(of: picture)
        quality = Self.quality(of: small)
        let strengths = Self.strengths(of: small)
        // The lower of the two in the middle.
        let median = strengths.sorted()[strengths.count / 2 - 1]
        var bits = [UInt8](repeating: 0, count: strengths.count / 8)
        for (index, strength) in strengths.enumerated() where strength > median {
            bits[bits.count - 1 - index / 8] |= 1 << UInt8(index % 8)
        }
        self.bits = bits
    }

    /// Brightness, made blunt in proportion to the size, and 64 x 64 samples of it.
    private static func square(of picture: RGBPicture) -> [Float] {
        let (width, height) = (picture.width, picture.height)
        var luma = [Float](repeating: 0, count: width * height)
        for index in luma.indices {
            let (red, green, blue) = (
                Float(picture.pixels[3 * index]), Float(picture.pixels[3 * index + 1]),
                Float(picture.pixels[3 * index + 2])
            )
            luma[index] = 0.299 * red + 0.587 * green + 0.114 * blue
        }
        var other = luma
        for _ in 0..<2 {
            for row in 0..<height { smooth(luma, &other, from: row * width, count: width, step: 1) }
            for column in 0..<width { smooth(other, &luma, from: column, count: height, step: width) }
        }
        var result: [Float] = []
        result.reserveCapacity(side * side)
        for row in 0..<side {
            let y = Int((Double(row) + 0.5) * Double(height) / Double(side))
            for column in 0..<side {
                result.append(luma[y * width + Int((Double(column) + 0.5) * Double(width) / Double(side))])
            }
        }
        return result
    }

    /// The mean of a window around each value, which is smaller at both ends.
    private static func smooth(_ source: [Float], _ goal: inout [Float], from: Int, count: Int, step: Int) {
        let window = min((count + 127) / 128, count)
        let ahead = (window + 2) / 2
        var (sum, held) = (Float(0), 0)
        var (left, right) = (0, 0)
        func add() {
            sum += source[from + right * step]
            right += 1
            held += 1
        }
        func drop() {
            sum -= source[from + left * step]
            left += 1
            held -= 1
        }
        for _ in 1..<ahead { add() }
        for index in 0..<count {
            if right < count { add() }
            if held > window || right == count && index + ahead > count { drop() }
            goal[from + index * step] = sum / Float(held)
        }
    }

    /// How steep it is, all in all.
    private static func quality(of square: [Float]) -> Int {
        var sum = 0
        func add(_ one: Float, _ other: Float) { sum += abs(Int((one - other) * 100 / 255)) }
        for row in 0..<side {
            for column in 0..<side {
                let value = square[row * side + column]
                if row + 1 < side { add(value, square[(row + 1) * side + column]) }
                if column + 1 < side { add(value, square[row * side + column + 1]) }
            }
        }
        return min(100, sum / 90)
    }

    /// How strong the lowest waves are, in both directions (a discrete cosine transform).
    private static func strengths(of square: [Float]) -> [Float] {
        let scale = (2 / Float(side)).squareRoot()
        var waves: [Float] = []
        for wave in 1...Self.waves {
            for place in 0..<side {
                waves.append(scale * Float(cos(Double.pi / 2 / Double(side) * Double(wave) * Double(2 * place + 1))))
            }
        }
        var half = [Float](repeating: 0, count: Self.waves * side)
        for wave in 0..<Self.waves {
            for column in 0..<side {
                var sum = Float(0)
                for row in 0..<side { sum += waves[wave * side + row] * square[row * side + column] }
                half[wave * side + column] = sum
            }
        }
        var result: [Float] = []
        for down in 0..<Self.waves {
            for across in 0..<Self.waves {
                var sum = Float(0)
                for place in 0..<side { sum += half[down * side + place] * waves[across * side + place] }
                result.append(sum)
            }
        }
        return result
    }
}
