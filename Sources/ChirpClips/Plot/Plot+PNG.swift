public import ChirpAudio

extension Plot {
    /// The picture as a PNG file: the same drawing as ``svg()``, in four shades, 1100 by 560 pixels.
    public func png() throws(AudioError) -> [UInt8] {
        typealias Layout = PlotLayout
        var canvas = GrayCanvas(width: Layout.width, height: Layout.height)
        let start = Layout.x(kept.lowerBound)
        let end = Layout.x(kept.upperBound)
        for (from, to) in [(Layout.left, start), (end, Layout.left + Layout.columns)] where to > from {
            canvas.fill(from..<to, 40..<500, .light)
        }
        for column in lowest.indices {
            let x = Layout.left + column
            let top = Layout.waveY(highest[column])
            canvas.fill(x..<(x + 1), top..<max(top + 1, Layout.waveY(lowest[column]) + 1))
        }
        for level in [0, -16, -20, -40, -60] {
            let y = Layout.loudY(Double(level))
            let (dash, gap) = level == -16 ? (8, 4) : (1, 4)
            for x in stride(from: Layout.left, to: Layout.left + Layout.columns, by: dash + gap) {
                canvas.fill(x..<(x + dash), y..<(y + 1), level == -16 ? .black : .dark)
            }
            // -20 is too near to -16 for both figures.
            if level != -20 { canvas.write("\(level)", x: Layout.left - 6, y: y - 7, endsThere: true) }
        }
        drawLoudness(on: &canvas)
        for column in overs {
            for row in 0..<12 {
                let half = 5 - row * 5 / 11
                let x = Layout.left + column
                canvas.fill((x - half)..<(x + half + 1), (22 + row)..<(23 + row))
            }
        }
        for (x, label) in [(start, "begin"), (end, isCapped ? "cap" : "end")] {
            for y in stride(from: 40, to: 500, by: 9) { canvas.fill((x - 1)..<(x + 1), y..<(y + 6)) }
            canvas.write(label, x: min(max(x - label.count * 6, 0), Layout.width - label.count * 12), y: 504)
        }
        canvas.write("wave", x: 8, y: 153)
        canvas.write("LUFS", x: 8, y: 292)
        if !overs.isEmpty { canvas.write(">-1 dBTP", x: 8, y: 4) }
        for step in 0...4 {
            let label = time(Double(step) / 4)
            let x = Layout.x(Double(step) / 4) - label.count * 6
            canvas.write(label, x: min(x, Layout.width - label.count * 12), y: 530)
        }
        return try canvas.png()
    }

    private func drawLoudness(on canvas: inout GrayCanvas) {
        var before: Int?
        for (column, value) in loudness.enumerated() {
            guard let value else {
                before = nil
                continue
            }
            let y = PlotLayout.loudY(value.value)
            let x = PlotLayout.left + column
            let from = min(before ?? y, y)
            let to = max(before ?? y, y)
            canvas.fill(x..<(x + 2), (from - 1)..<(to + 2))
            before = y
        }
    }
}
