internal import ChirpClips

/// What a command line says about how a clip sounds and how large it is; nil for what it does not mention.
package struct ClipChoices: Sendable {
    var preset: Preset?
    var bitrate: Int?
    var vbr: Int?
    var trim: Bool?
    var normalise: Bool?
    var target: Double?
    package var maxLength: Choice<LengthOfTime>?
    package var maxBytes: Choice<Size>?
    package var title: String?
    var cover: String?
    var jobs: Int?
    var verify: Bool?
    /// See ``PartOptions``.
    var begin: TimeInRecording?
    var end: TimeInRecording?

    /// Of a command line that mentions nothing.
    package static var none: ClipChoices { ClipChoices() }

    /// Puts what was given on top of the settings.
    package func apply(to config: inout Config) {
        config.preset.override(preset, by: "--preset")
        // One of the two switches the other off, wherever that was set.
        if let bitrate {
            config.bitrate.override(Choice(bitrate), by: "--bitrate")
            config.vbr.override(Choice(nil), by: "--bitrate")
        }
        if let vbr {
            config.vbr.override(Choice(vbr), by: "--vbr")
            config.bitrate.override(Choice(nil), by: "--vbr")
        }
        config.trim.override(trim, by: trim == true ? "--trim" : "--no-trim")
        config.normalise.override(normalise, by: normalise == true ? "--normalise" : "--no-normalise")
        config.target.override(target, by: "--target")
        config.maxLength.override(maxLength, by: "--max-length")
        config.maxBytes.override(maxBytes, by: "--max-bytes")
        config.jobs.override(jobs.map { Choice($0) }, by: "--jobs")
    }
}
