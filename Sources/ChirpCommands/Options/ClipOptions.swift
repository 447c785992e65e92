public import ArgumentParser
internal import ChirpAudio
public import ChirpClips
internal import ChirpCodecs
internal import ChirpCore

/// What decides how a clip sounds and how large it is; the same in every command that makes clips.
package struct ClipOptions: ParsableArguments {
    @Option(name: .long, help: "voice (mono, 64 kbps), music (stereo, 192 kbps) or tiny (mono, 32 kbps).")
    var preset: Preset?

    @Option(
        name: .long, help: ArgumentHelp("Constant rate instead of the preset's.", valueName: "kbps"),
        transform: { try Self.number($0, in: .bitrate) })
    var bitrate: Int?

    @Option(
        name: .long, help: ArgumentHelp("Variable rate, quality 0 (best) to 9.", valueName: "quality"),
        transform: { try Self.number($0, in: .vbr) })
    var vbr: Int?

    @Flag(name: .long, inversion: .prefixedNo, help: "Remove silence at both ends (default: yes).")
    var trim: Bool?

    @Flag(name: .long, inversion: .prefixedNo, help: "Bring to the target loudness (default: yes).")
    var normalise: Bool?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Loudness in LUFS (default: -16).", valueName: "lufs"),
        transform: { text in
            let value = try Double(configText: text)
            guard Limits.target.accepts(value) else { throw BadValue(text, needs: Limits.target.needs) }
            return value
        })
    var target: Double?

    @Option(
        name: .long,
        help: ArgumentHelp("The longest clip, such as 140s, or none.", valueName: "time"),
        transform: { text in Choice(try LengthOfTime?(configText: text)) })
    var maxLength: Choice<LengthOfTime>?

    @Option(
        name: .long,
        help: ArgumentHelp("The largest clip, such as 16MB: the highest rate that fits.", valueName: "size"),
        transform: { text in Choice(try Size?(configText: text)) })
    var maxBytes: Choice<Size>?

    @Option(name: .long, help: ArgumentHelp("What players and pages show.", valueName: "words"))
    var title: String?

    @Option(
        name: .long, help: ArgumentHelp("A picture, JPEG or PNG.", valueName: "file"),
        completion: .file(extensions: ["jpg", "jpeg", "png"]))
    var cover: String?

    @Option(
        name: .long, help: ArgumentHelp("Threads for encoding (default: all cores).", valueName: "count"),
        transform: { try Self.number($0, in: .jobs) })
    var jobs: Int?

    @Flag(name: .long, inversion: .prefixedNo, help: "Decode and measure the finished clip (default: yes).")
    var verify: Bool?

    package init() {}

    package func validate() throws {
        if bitrate != nil && vbr != nil {
            throw ValidationError("--bitrate and --vbr exclude each other: one rate is constant, the other is not.")
        }
        if maxBytes?.value != nil && vbr != nil {
            throw ValidationError("--max-bytes needs a constant rate, so it does not go with --vbr.")
        }
    }

    /// What was chosen, without the flags.
    package var choices: ClipChoices {
        ClipChoices(
            preset: preset, bitrate: bitrate, vbr: vbr, trim: trim, normalise: normalise, target: target,
            maxLength: maxLength, maxBytes: maxBytes, title: title, cover: cover, jobs: jobs, verify: verify)
    }

    static func number(_ text: String, in limits: Limits<Int>) throws -> Int {
        let value = try Int(configText: text)
        guard limits.accepts(value) else { throw BadValue(text, needs: limits.needs) }
        return value
    }
}

extension Preset: ExpressibleByArgument {}
