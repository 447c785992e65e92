internal import ChirpAudio

extension Plot {
    /// The picture as an SVG file. Black, grey and patterns only, so that it reads without colours; what the lines mean is
    /// written beside them, and a description stands in front for those who cannot see it.
    public func svg() -> [UInt8] {
        typealias Layout = PlotLayout
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Layout.width) \(Layout.height)" \
            font-family="sans-serif" font-size="14" role="img">
            <title>Waveform and loudness, \(time(1))</title>
            <rect width="\(Layout.width)" height="\(Layout.height)" fill="#fff"/>

            """
        let start = Layout.x(kept.lowerBound)
        let end = Layout.x(kept.upperBound)
        for (from, to) in [(Layout.left, start), (end, Layout.left + Layout.columns)] where to > from {
            text += "<rect x=\"\(from)\" y=\"40\" width=\"\(to - from)\" height=\"460\" fill=\"#ddd\"/>\n"
        }
        text += "<path stroke=\"#000\" fill=\"none\" d=\""
        for column in lowest.indices {
            let top = Layout.waveY(highest[column])
            text += "M\(Layout.left + column) \(top)V\(Layout.waveY(lowest[column]) + 1)"
        }
        text += "\"/>\n"
        for level in [0, -20, -40, -60] {
            let y = Layout.loudY(Double(level))
            text += "<path stroke=\"#888\" stroke-dasharray=\"1 4\" d=\"M\(Layout.left) \(y)h\(Layout.columns)\"/>\n"
            // -20 is too near to -16 for both figures.
            if level != -20 { text += "<text x=\"62\" y=\"\(y + 5)\" text-anchor=\"end\">\(level)</text>\n" }
        }
        let target = Layout.loudY(-16)
        text += "<path stroke=\"#000\" stroke-dasharray=\"8 4\" d=\"M\(Layout.left) \(target)h\(Layout.columns)\"/>\n"
        text += "<text x=\"62\" y=\"\(target + 5)\" text-anchor=\"end\">-16</text>\n"
        text += "<path stroke=\"#000\" stroke-width=\"2.5\" fill=\"none\" d=\"\(loudnessPath)\"/>\n"
        for column in overs {
            let x = Layout.left + column
            text += "<path d=\"M\(x - 5) 22h10l-5 12z\"/>\n"
        }
        for (x, label) in [(start, "begin"), (end, isCapped ? "cap" : "end")] {
            text += "<path stroke=\"#000\" stroke-width=\"2\" stroke-dasharray=\"6 3\" d=\"M\(x) 40V500\"/>\n"
            text += "<text x=\"\(x)\" y=\"515\" text-anchor=\"middle\">\(label)</text>\n"
        }
        text += "<text x=\"8\" y=\"164\">wave</text><text x=\"8\" y=\"310\">LUFS</text>\n"
        if !overs.isEmpty { text += "<text x=\"8\" y=\"33\">&gt; -1 dBTP</text>\n" }
        for step in 0...4 {
            let fraction = Double(step) / 4
            let x = Layout.x(fraction)
            text += "<text x=\"\(x)\" y=\"545\" text-anchor=\"middle\">\(time(fraction))</text>\n"
        }
        return Array((text + "</svg>\n").utf8)
    }

    private var loudnessPath: String {
        var path = ""
        var isDown = false
        for (column, value) in loudness.enumerated() {
            if let value {
                path += "\(isDown ? "L" : "M")\(PlotLayout.left + column) \(PlotLayout.loudY(value.value))"
            }
            isDown = value != nil
        }
        return path
    }
}
