internal import CPhoto

/// Pixels of red, green and blue, eight bits each, row by row.
struct RGBPicture: Sendable {
    let width: Int
    let height: Int
    let pixels: [UInt8]

    /// Scaled down so that the longer side is at most so long: every pixel is the mean of those it covers.
    func fitting(side: Int) -> RGBPicture {
        let longer = max(width, height)
        guard longer > side else { return self }
        let (columns, rows) = (max(1, width * side / longer), max(1, height * side / longer))
        var result = [UInt8](repeating: 0, count: 3 * columns * rows)
        let source = pixels.span
        for row in 0..<rows {
            let lines = row * height / rows..<max(row * height / rows + 1, (row + 1) * height / rows)
            for column in 0..<columns {
                let span = column * width / columns..<max(column * width / columns + 1, (column + 1) * width / columns)
                var sum = SIMD4<Int>.zero
                for y in lines {
                    for x in span {
                        let at = 3 * (y * width + x)
                        sum &+= SIMD4(Int(source[at]), Int(source[at + 1]), Int(source[at + 2]), 0)
                    }
                }
                let count = lines.count * span.count
                for color in 0..<3 { result[3 * (row * columns + column) + color] = UInt8(sum[color] / count) }
            }
        }
        return RGBPicture(width: columns, height: rows, pixels: result)
    }

    /// The square in the middle.
    func middle() -> RGBPicture {
        let side = min(width, height)
        guard width != height else { return self }
        let (left, top) = ((width - side) / 2, (height - side) / 2)
        var result: [UInt8] = []
        result.reserveCapacity(3 * side * side)
        for row in top..<top + side {
            let start = 3 * (row * width + left)
            result += pixels[start..<start + 3 * side]
        }
        return RGBPicture(width: side, height: side, pixels: result)
    }

    /// Turned and mirrored as Exif's orientation says.
    ///
    /// - Parameter orientation: 1...8; 1 leaves it.
    func upright(_ orientation: Int) -> RGBPicture {
        guard 2...8 ~= orientation else { return self }
        // From 5 on rows become columns.
        let (columns, rows) = orientation < 5 ? (width, height) : (height, width)
        var result = [UInt8](repeating: 0, count: pixels.count)
        let source = pixels.span
        for y in 0..<rows {
            for x in 0..<columns {
                let (column, row) =
                    switch orientation {
                    case 2: (width - 1 - x, y)
                    case 3: (width - 1 - x, height - 1 - y)
                    case 4: (x, height - 1 - y)
                    case 5: (y, x)
                    case 6: (y, height - 1 - x)
                    case 7: (width - 1 - y, height - 1 - x)
                    default: (width - 1 - y, x)
                    }
                for color in 0..<3 {
                    result[3 * (y * columns + x) + color] = source[3 * (row * width + column) + color]
                }
            }
        }
        return RGBPicture(width: columns, height: rows, pixels: result)
    }

    /// - Parameters:
    ///   - quality: 1...100.
    ///   - isProgressive: for browsers. Not everything that plays clips shows such a picture.
    func jpeg(quality: Int, isProgressive: Bool = false) throws(PictureFault) -> [UInt8] {
        var out: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        try PictureFault.check(
            chirp_photo_jpeg_encode(
                pixels, Int32(width), Int32(height), Int32(quality), isProgressive ? 1 : 0, &out, &count))
        guard let out else { throw .damaged("there is no memory") }
        defer { chirp_photo_free(out) }
        return Array(UnsafeBufferPointer(start: out, count: Int(count)))
    }
}
