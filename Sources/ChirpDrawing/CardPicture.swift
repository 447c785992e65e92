internal import CPango

/// The picture that other sites show beside a clip's link (ogp.me, `og:image`): its title, who speaks, and the outline of its sound.
package struct CardPicture: Hashable, Sendable {
    /// The size that sites ask for, in pixels.
    package static let width = 1200
    package static let height = 630

    /// Plain text; what does not fit in three lines is cut.
    let title: String
    /// Plain text, in one line.
    let byline: String
    /// Highest magnitudes of equally long stretches, 255 being full scale.
    let peaks: [UInt8]

    package init(title: String, byline: String, peaks: [UInt8]) {
        self.title = title
        self.byline = byline
        self.peaks = peaks
    }

    /// Why there is no picture.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The picture as PNG. Blocks for some ten milliseconds, the first time for some hundred while fonts are looked for.
    ///
    /// - Throws: where Cairo and Pango are not installed, or memory is short.
    package func png() throws(Failure) -> [UInt8] {
        if let reason = chirp_pango_load() { throw Failure(description: String(cString: reason)) }
        guard let canvas = chirp_canvas_create(Int32(Self.width), Int32(Self.height)) else {
            throw Failure(description: "there is no memory for a picture")
        }
        defer { chirp_canvas_destroy(canvas) }
        Self.ground.use(canvas)
        chirp_canvas_fill(canvas, 0, 0, Double(Self.width), Double(Self.height), 0)
        Self.text.use(canvas)
        let margin = 72.0
        let inner = Int32(Self.width) - 2 * Int32(clamping: margin)
        let height = chirp_canvas_text(canvas, title, "Sans Bold 46", margin, 64, inner, 3)
        Self.soft.use(canvas)
        _ = chirp_canvas_text(canvas, byline, "Sans 26", margin, 64 + Double(height) + 18, inner, 1)
        outline(on: canvas, margin: margin)
        var bytes: [UInt8] = []
        let status = withUnsafeMutablePointer(to: &bytes) { chirp_canvas_png(canvas, takePiece, $0) }
        guard status == 0 else { throw Failure(description: "the picture cannot be written") }
        return bytes
    }

    /// Bars around a line, as the player shows them.
    private func outline(on canvas: OpaquePointer, margin: Double) {
        Self.accent.use(canvas)
        let (bars, middle, tallest) = (84, 490.0, 90.0)
        let step = (Double(Self.width) - 2 * margin) / Double(bars)
        for bar in 0..<bars {
            let stretch = peaks.count * bar / bars..<max(peaks.count * (bar + 1) / bars, peaks.count * bar / bars + 1)
            let peak = stretch.lazy.filter(peaks.indices.contains).map { peaks[$0] }.max() ?? 0
            let half = max(Double(peak) / 255 * tallest, 3)
            let width = step * 0.62
            chirp_canvas_fill(
                canvas, margin + Double(bar) * step, middle - half, width, 2 * half, min(width / 2, half))
        }
    }

    /// A colour of the pages' dark look.
    private struct Colour {
        let red, green, blue: Double

        func use(_ canvas: OpaquePointer) { chirp_canvas_colour(canvas, red, green, blue) }
    }

    private static let ground = Colour(red: 0.055, green: 0.106, blue: 0.086)
    private static let text = Colour(red: 0.93, green: 0.96, blue: 0.94)
    private static let soft = Colour(red: 0.70, green: 0.78, blue: 0.74)
    private static let accent = Colour(red: 0.45, green: 0.83, blue: 0.64)
}

/// Called with each piece of a PNG.
private func takePiece(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: UInt32) -> Int32 {
    guard let context, let bytes else { return 1 }
    context.assumingMemoryBound(to: [UInt8].self).pointee.append(
        contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
    return 0
}
