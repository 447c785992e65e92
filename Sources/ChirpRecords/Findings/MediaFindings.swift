internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMusic
internal import ChirpWeb
internal import FoundationEssentials

/// What a machine has found in an attempt's sound, beside what its author says. It decides nothing.
struct MediaFindings {
    let sight: AttemptSight
    let media: AttemptShow

    /// Nil where nothing was looked for, or not yet.
    private var found: SoundFindings? { sight.attempt.machineFindings.sound }

    var html: HTML {
        guard let found else { return .nothing }
        var lines: [HTML] = []
        if let timed = found.timed { lines += self.timed(timed) }
        if let trouble = found.trouble { lines.append("<p>\(sentence(trouble, found))</p>") }
        if let count = found.count { lines.append(counted(count)) }
        guard !lines.isEmpty else { return .nothing }
        return """
            <section class="facts" aria-labelledby="findings"><h2 id="findings">\(word("findings.title"))</h2>
            \(HTML(joining: lines))\(picture(found))<p class="hint">\(word("findings.only"))</p></section>
            """
    }

    private func timed(_ timed: SoundFindings.Timed) -> [HTML] {
        let span = word("findings.span", ["start": Self.exact(timed.start), "stop": Self.exact(timed.stop)])
        let isTone = timed.ending == TimedTake.Ending.tone.rawValue
        let end = isTone ? word("findings.end.tone") : word("findings.end.sound")
        var lines: [HTML] = [
            "<p class=\"attempt-time\"><strong>\(Self.exact(timed.duration))</strong> \(word("findings.timed"))</p>",
            "<p>\(span) \(end)</p>",
            "<p>\(word("findings.code"))</p>",
        ]
        if timed.confidence < 0.3 { lines.append("<p><strong>\(word("findings.unsure"))</strong></p>") }
        if sight.terms.measure == .time, let claimed = claimedSeconds {
            lines.append(
                comparison(abs(claimed - timed.duration) <= Self.tolerance(sight.terms), Self.exact(timed.duration)))
        }
        return lines
    }

    /// In seconds; nil for what measures no time.
    private var claimedSeconds: Double? {
        guard sight.terms.measure == .time else { return nil }
        return (0..<sight.terms.decimals).reduce(Double(sight.attempt.score)) { value, _ in value / 10 }
    }

    /// Half of the last place that counts, and what tones are found to.
    private static func tolerance(_ terms: RuleTerms) -> Double {
        (0..<terms.decimals).reduce(0.5) { value, _ in value / 10 } + 0.005
    }

    private func counted(_ count: Int) -> HTML {
        let heard: HTML = "<p class=\"attempt-time\"><strong>\(count)</strong> \(word("findings.counted"))</p>"
        guard sight.terms.measure == .count else { return heard }
        return "\(heard)\(comparison(Int64(count) == sight.attempt.score, "\(count)"))"
    }

    /// The verifier looks only where they differ.
    private func comparison(_ isSame: Bool, _ heard: String) -> HTML {
        isSame
            ? "<p>\(word("findings.same", ["claimed": sight.score]))</p>"
            : "<p><strong>\(word("findings.differs", ["claimed": sight.score, "heard": heard]))</strong></p>"
    }

    private func sentence(_ trouble: SoundFindings.Trouble, _ found: SoundFindings) -> String {
        switch trouble {
        case .noSound: word("findings.no-sound")
        case .cut: word("findings.cut")
        case .noStart: word("findings.no-start")
        case .noCode: word("findings.no-code")
        case .wrongCode: word("findings.wrong-code", ["heard": found.heardCode ?? ""])
        case .speed: word("findings.speed", ["percent": Self.percent(found.speed ?? 0)])
        case .noStop: word("findings.no-stop")
        case .rate: word("findings.rate")
        case .unheard: word("findings.unheard")
        }
    }

    private static func percent(_ millionths: Int) -> String {
        let tenths = (Double(abs(millionths)) / 1000).rounded() / 10
        return "\(tenths)"
    }

    /// `12.345 s`, `1:02.345`.
    private static func exact(_ seconds: Double) -> String {
        var terms = RuleTerms(measure: .time, unit: .seconds, better: .less, decimals: 3, low: 0, high: .max)
        terms.step = 1
        return terms.said(Int64(clamping: (min(max(seconds, 0), 1e9) * 1000).rounded()))
    }

    private static let width = 1000.0

    /// The whole recording as a line, with the stretch that was timed, and a mark for each sound that was counted, over its waveform
    /// where there is one. What it shows stands above in words.
    private func picture(_ found: SoundFindings) -> HTML {
        guard found.seconds > 0, found.timed != nil || !found.events.isEmpty else { return .nothing }
        func x(_ seconds: Double) -> String {
            "\(Int(clamping: (min(max(seconds / found.seconds, 0), 1) * Self.width).rounded()))"
        }
        var wave: HTML = .nothing
        if let peaks = found.peaks ?? media.sound?.peaks, !peaks.isEmpty {
            let path = peaks.indices.map { index in
                let left = Int(clamping: Double(index) / Double(peaks.count) * Self.width)
                let half = max(1, Int(peaks[index]) * 40 / 255)
                return "M\(left) \(50 - half)v\(2 * half)"
            }.joined()
            wave = "<path class=\"sound\" d=\"\(path)\"/>"
        }
        let stretch: HTML =
            found.timed.map { timed in
                let width = Int(clamping: (max(0, timed.stop - timed.start) / found.seconds * Self.width).rounded())
                return "<rect class=\"stretch\" x=\"\(x(timed.start))\" y=\"2\" width=\"\(width)\" height=\"96\"/>"
            } ?? .nothing
        let marks = found.events.map { "M\(x($0.seconds)) 88v12" }.joined()
        let label =
            found.count.map {
                word("findings.picture.count", ["count": "\($0)", "length": Wording.spoken(found.seconds)])
            }
            ?? word("findings.picture", ["length": Wording.spoken(found.seconds)])
        return """
            <svg class="findings-wave" viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label="\(label)">\
            \(stretch)\(wave)<path class="events" d="\(marks)"/></svg>
            """
    }
}
