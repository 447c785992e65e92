internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMusic
internal import ChirpWeb

/// What a track is mixed of, and whether that is so: buyers need not find out in the studio.
struct StemsView {
    /// Nil: nobody has said.
    let stems: TrackStems?
    let track: Track
    /// Whether this is its author, who may send them, and hears which one is wrong.
    let isAuthor: Bool
    let links: HubLinks

    var html: HTML {
        var content: HTML = .nothing
        if let stems { content = "<p>\(word("beat.stems.count", count: stems.stems.count))</p>\(result(stems))" }
        let way: HTML =
            isAuthor && track.master != nil
            ? """
            <p><a class="act" href="\(links.prefix)\(track.path)/stems">\(stems == nil ? word("beat.stems.send") : word("beat.stems.again"))</a></p>
            """ : .nothing
        guard stems != nil || isAuthor && track.master != nil else { return .nothing }
        return """
            <section aria-labelledby="stems"><h2 class="section" id="stems">\(word("beat.stems"))</h2>\(content)\(way)</section>
            """
    }

    private func result(_ stems: TrackStems) -> HTML {
        switch stems.check {
        case .waiting: return "<p>\(word("beat.stems.waiting"))</p>"
        case .failed(let why):
            return .word(
                "beat.stems.failed", ["why": isAuthor && !why.isEmpty ? "<q lang=\"en\">\(why)</q>" : .nothing])
        case .found(let findings): return Self.result(findings, stems)
        }
    }

    private static func result(_ findings: StemFindings, _ stems: TrackStems) -> HTML {
        let number = ["residual": TrackWording.number(findings.residual, places: 0)]
        var cut: HTML = .nothing
        if let share = findings.cut, share > 0 {
            cut = "<p>\(word("beat.stems.cut", ["share": TrackWording.number(100 * share, places: 3)]))</p>"
        }
        guard findings.residual > StemFindings.good else {
            return "<p>\(word("beat.stems.good", number))</p>\(cut)"
        }
        // What was done to the whole is no shortcoming of the stems, so it is not called one.
        if let mastering = findings.mastering {
            let left = ["residual": TrackWording.number(mastering.residual, places: 0)]
            return "<p>\(word("beat.stems.mastered", left))</p>\(cut)"
        }
        guard !findings.faults.isEmpty else {
            return "<p>\(word("beat.stems.bad", number))</p><p>\(word("beat.stems.unknown"))</p>\(cut)"
        }
        let faults = findings.faults.map { "<li>\(sentence($0, stems))</li>" as HTML }
        return "<p>\(word("beat.stems.bad", number))</p><ul>\(HTML(joining: faults))</ul>\(cut)"
    }

    private static func sentence(_ fault: StemFindings.Fault, _ stems: TrackStems) -> String {
        var values = [
            "stem": stems.stems.indices.contains(fault.stem) ? stems.stems[fault.stem].name : "\(fault.stem + 1)"
        ]
        switch fault.trouble {
        case .shifted(let seconds):
            values["by"] = TrackWording.number(abs(seconds) * 1000, places: 1)
            return seconds > 0 ? word("beat.stems.late", values) : word("beat.stems.early", values)
        case .louder(let decibels):
            values["by"] = TrackWording.number(abs(decibels), places: 1)
            return decibels > 0 ? word("beat.stems.louder", values) : word("beat.stems.softer", values)
        case .foreign: return word("beat.stems.foreign", values)
        case .inverted: return word("beat.stems.inverted", values)
        }
    }
}
