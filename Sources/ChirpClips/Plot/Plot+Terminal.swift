internal import ChirpAudio

extension Plot {
    /// The picture as text: waveform and loudness as bars of eighths, the kept part underlined, for a terminal.
    ///
    /// - Parameter columns: characters per line, 20 or more.
    public func terminal(columns: Int) -> String {
        let width = max(20, columns) - 6
        let bars = Array(" ▁▂▃▄▅▆▇█")
        func bar(_ share: Double) -> Character { bars[Int((min(1, max(0, share)) * 8).rounded())] }
        func columnsOf(_ character: Int) -> Range<Int> {
            let first = character * Self.columns / width
            return first..<max(first + 1, (character + 1) * Self.columns / width)
        }
        var wave = ""
        var loud = ""
        var marks = ""
        var over = ""
        for character in 0..<width {
            let range = columnsOf(character)
            let peak = range.reduce(Float(0)) { max($0, max(highest[$1], -lowest[$1])) }
            wave.append(bar(Double(peak)))
            let level = range.compactMap { loudness[$0]?.value }.max()
            // From -50 LUFS, nothing, to 0.
            loud.append(level.map { bar(max(0.125, ($0 + 50) / 50)) } ?? " ")
            let place = (Double(character) + 0.5) / Double(width)
            marks.append(kept.contains(place) ? "─" : " ")
            over.append(overs.contains { range.contains($0) } ? "▼" : " ")
        }
        var lines = ["wave  \(wave)", "LUFS  \(loud)", "clip  \(marks)\(isCapped ? " cap" : "")"]
        if !overs.isEmpty { lines.insert("peak  \(over)", at: 0) }
        let length = time(1)
        lines.append("      0" + String(repeating: " ", count: max(1, width - length.count - 1)) + length)
        return lines.joined(separator: "\n")
    }
}
