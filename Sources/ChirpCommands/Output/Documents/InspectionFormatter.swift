internal import ChirpClips
internal import ChirpCore

/// What `chirp inspect` says to people: one fact per line, the numbers below each other.
struct InspectionFormatter {
    let text: String

    init(_ inspection: Inspection) {
        let (input, level, silence) = (inspection.input, inspection.level, inspection.silence)
        var facts: [(String, String)] = [
            ("file", "\(PlainText(input.name)): \(PlainText(input.format))"),
            (
                "length",
                "\(Figures.seconds(input.seconds)), \(input.sampleRate) Hz, \(Self.channels(input.channels, level.layout))"
            ),
            ("loudness", Self.level(level.integratedLUFS, "LUFS") + " integrated"),
            ("", Self.level(level.shortTermMaxLUFS, "LUFS") + " loudest 3 s"),
            ("", Self.level(level.momentaryMaxLUFS, "LUFS") + " loudest 0.4 s"),
            ("range", Self.level(level.rangeLU, "LU")),
            ("peak", Self.level(level.truePeakDBTP, "dBTP") + " true"),
            ("", Self.level(level.samplePeakDBFS, "dBFS") + " sample"),
            ("clipped", level.clippedSamples == 0 ? "no samples" : "\(level.clippedSamples) samples"),
            ("DC offset", Figures.number(level.dcOffset, places: 5)),
            (
                "silence",
                "\(Figures.seconds(silence.headSeconds)) before, \(Figures.seconds(silence.tailSeconds)) after"
            ),
            ("noise floor", Self.level(silence.noiseFloorDBFS, "dBFS")),
        ]
        for (name, value) in [
            ("title", inspection.tags.title), ("artist", inspection.tags.artist), ("comment", inspection.tags.comment),
        ] {
            if let value { facts.append((name, PlainText(value, limit: 200).value)) }
        }
        if inspection.tags.hasCover { facts.append(("cover", "yes")) }
        if let mp3 = inspection.mp3 {
            facts.append(("MP3", "\(mp3.bitrateKbps) kbps \(mp3.vbr ? "variable" : "constant"), \(mp3.frames) frames"))
            if let delay = mp3.encoderDelay, let padding = mp3.padding {
                facts.append(("gapless", "delay \(delay), padding \(padding) samples"))
            }
        }
        text = facts.map { "\($0.0.padded(to: 12))\($0.1)" }.joined(separator: "\n")
    }

    private static func level(_ value: Double?, _ unit: String) -> String {
        value.map { "\(Figures.number($0, places: 1)) \(unit)" } ?? "none"
    }

    private static func channels(_ count: Int, _ layout: String?) -> String {
        switch count {
        case 1: "mono"
        case 2: "stereo"
        default: "\(count) channels (\(layout ?? "of unknown layout"))"
        }
    }
}
