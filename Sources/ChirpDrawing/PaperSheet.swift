internal import CPango

/// Pages of A4 in points, on which texts, codes and pictures are put. For one task alone; whoever begins it ends it.
final class PaperSheet {
    static let width = 595.276
    static let height = 841.89

    private let canvas: OpaquePointer
    /// What was written of the file so far.
    private let bytes: UnsafeMutablePointer<[UInt8]>

    init(title: String) throws(Poster.Failure) {
        if let reason = chirp_pango_load() { throw Poster.Failure(description: String(cString: reason)) }
        let bytes = UnsafeMutablePointer<[UInt8]>.allocate(capacity: 1)
        bytes.initialize(to: [])
        guard let canvas = chirp_canvas_create_pdf(Self.width, Self.height, title, takePiece, bytes) else {
            bytes.deinitialize(count: 1)
            bytes.deallocate()
            throw Poster.Failure(description: "there is no memory for a sheet")
        }
        (self.canvas, self.bytes) = (canvas, bytes)
    }

    /// Nothing may be drawn after it.
    func end() {
        // Cairo may still write what was not finished.
        chirp_canvas_destroy(canvas)
        bytes.deinitialize(count: 1)
        bytes.deallocate()
    }

    /// The finished file.
    func file() throws(Poster.Failure) -> [UInt8] {
        guard chirp_canvas_finish(canvas) == 0 else {
            throw Poster.Failure(description: "the sheet cannot be written")
        }
        return bytes.pointee
    }

    /// Parts from 0 to 1.
    struct Colour {
        let red, green, blue: Double

        static let black = Colour(red: 0.07, green: 0.07, blue: 0.07)
        static let white = Colour(red: 1, green: 1, blue: 1)
        static let grey = Colour(red: 0.33, green: 0.33, blue: 0.33)
        static let lost = Colour(red: 0.72, green: 0.04, blue: 0.09)
        static let found = Colour(red: 0, green: 0.34, blue: 0.30)
        static let reward = Colour(red: 1, green: 0.84, blue: 0.20)
    }

    /// A rectangle, from the upper left.
    struct Box {
        var x, y, width, height: Double
    }

    /// How a text is to stand.
    struct Writing {
        var text: String
        var isBold = false
        var size: Double
        var width: Double
        var lines = 1
        var isCentred = false
        /// An address: it may break at any letter.
        var isAddress = false
    }

    struct Extent {
        let width, height: Double
        let isCut: Bool
        let lines: Int
    }

    func measure(_ writing: Writing) -> Extent { put(writing, x: 0, y: 0, draws: false) }

    @discardableResult
    func write(_ writing: Writing, x: Double, y: Double, _ colour: Colour = .black) -> Extent {
        use(colour)
        return put(writing, x: x, y: y, draws: true)
    }

    /// The same in the largest of some sizes in which it is whole, else in the smallest.
    func fitted(_ writing: Writing, _ sizes: StrideThrough<Double>, height: Double = .infinity) -> Writing {
        whole(writing, sizes, height: height).writing
    }

    /// The same on one line where that does not make it much smaller, since a last word alone on a line looks forgotten; else on several.
    func fitted(
        _ writing: Writing, alone: StrideThrough<Double>, _ sizes: StrideThrough<Double>, height: Double = .infinity
    ) -> Writing {
        var single = writing
        single.lines = 1
        let found = whole(single, alone, height: height)
        return found.fits ? found.writing : fitted(writing, sizes, height: height)
    }

    private func whole(
        _ writing: Writing, _ sizes: StrideThrough<Double>, height: Double
    ) -> (writing: Writing, fits: Bool) {
        var writing = writing
        for size in sizes {
            writing.size = size
            let extent = measure(writing)
            if !extent.isCut, extent.height <= height, extent.width <= writing.width { return (writing, true) }
        }
        return (writing, false)
    }

    /// An address for who types it: broken behind its slashes where that fits, else wherever a line ends.
    func address(_ text: String, width: Double, _ sizes: StrideThrough<Double>, height: Double) -> Writing {
        let broken = text.replacing("/", with: "/\n")
        let whole = Writing(text: broken, size: 0, width: width, isCentred: true, isAddress: true)
        let found = self.whole(whole, sizes, height: height)
        if found.fits { return found.writing }
        return fitted(
            Writing(text: text, size: 0, width: width, lines: 6, isCentred: true, isAddress: true), sizes,
            height: height)
    }

    private func put(_ writing: Writing, x: Double, y: Double, draws: Bool) -> Extent {
        with(writing) { chirp_canvas_write(canvas, &$0, x, y, draws ? 1 : 0) }
    }

    private func with(_ writing: Writing, _ body: (inout chirp_text) -> chirp_extent) -> Extent {
        let font = writing.isBold ? "Sans Bold" : "Sans"
        let extent = writing.text.withCString { text in
            font.withCString { font in
                var said = chirp_text(
                    text: text, font: font, size: writing.size, width: writing.width, lines: Int32(writing.lines),
                    centred: writing.isCentred ? 1 : 0, anywhere: writing.isAddress ? 1 : 0)
                return body(&said)
            }
        }
        return Extent(
            width: extent.width, height: extent.height, isCut: extent.cut != 0, lines: Int(extent.lines))
    }

    /// The same with the lines from one on that are together no higher than the room: what goes on over pages. It is cut when more follow.
    @discardableResult
    func write(
        _ writing: Writing, from line: Int, room: Double, x: Double = 0, y: Double = 0, draws: Bool = true,
        _ colour: Colour = .black
    ) -> Extent {
        use(colour)
        return with(writing) {
            chirp_canvas_write_lines(canvas, &$0, Int32(clamping: line), room, x, y, draws ? 1 : 0)
        }
    }

    /// What is drawn next stands on another page.
    func turnPage() { chirp_canvas_next_page(canvas) }

    func fill(_ box: Box, _ colour: Colour, radius: Double = 0) {
        use(colour)
        chirp_canvas_fill(canvas, box.x, box.y, box.width, box.height, radius)
    }

    func line(fromX x: Double, y: Double, toX: Double, y toY: Double, isDashed: Bool) {
        use(.grey)
        chirp_canvas_line(canvas, x, y, toX, toY, 0.6, isDashed ? 4 : 0)
    }

    /// A code in a square, on a white ground that is as wide as readers need: four squares (ISO/IEC 18004, 5.3.8).
    func draw(_ code: QRCode, x: Double, y: Double, size: Double) {
        fill(Box(x: x, y: y, width: size, height: size), .white)
        use(.black)
        let quiet = size / Double(code.width + 8) * 4
        chirp_canvas_squares(canvas, code.squares, Int32(code.width), x + quiet, y + quiet, size - 2 * quiet)
    }

    func draw(_ jpeg: [UInt8], _ size: JPEGSize, in box: Box, radius: Double) throws(Poster.Failure) {
        let status = chirp_canvas_jpeg(
            canvas, jpeg, UInt(jpeg.count), Int32(size.columns), Int32(size.rows), box.x, box.y, box.width, box.height,
            radius)
        guard status == 0 else { throw Poster.Failure(description: "the picture cannot be drawn") }
    }

    private func use(_ colour: Colour) { chirp_canvas_colour(canvas, colour.red, colour.green, colour.blue) }
}

/// Called with each piece of a file.
private func takePiece(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: UInt32) -> Int32 {
    guard let context, let bytes else { return 1 }
    context.assumingMemoryBound(to: [UInt8].self).pointee.append(
        contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
    return 0
}
