internal import CLame
internal import ChirpAudio
internal import Synchronization

/// LAME builds tables on first use without guarding them: encoders are made one at a time.
private let lameInitialisation = Mutex(())

/// Owner of one LAME encoder. One thread at a time.
struct LameHandle: ~Copyable {
    private let raw: lame_t

    /// An encoder that writes bare frames: no info frame, no ID3 tag, no ReplayGain analysis, no resampling.
    ///
    /// - Throws: what ``MP3Settings/validate(for:)`` says, or ``AudioError/library(name:code:)``.
    init(format: AudioFormat, settings: MP3Settings) throws(AudioError) {
        try settings.validate(for: format)
        raw = try lameInitialisation.withLock { (_) throws(AudioError) in
            try Self.configured(format: format, settings: settings)
        }
    }

    deinit { lame_close(raw) }

    private static func configured(format: AudioFormat, settings: MP3Settings) throws(AudioError) -> lame_t {
        guard let raw = lame_init() else { throw .library(name: "LAME", code: Int(LAME_NOMEM.rawValue)) }
        // LAME prints to standard error by itself unless told not to.
        lame_set_errorf(raw, nil)
        lame_set_debugf(raw, nil)
        lame_set_msgf(raw, nil)
        lame_set_num_channels(raw, Int32(format.channels))
        lame_set_mode(raw, format.channels == 1 ? MONO : JOINT_STEREO)
        lame_set_in_samplerate(raw, Int32(format.sampleRate))
        lame_set_out_samplerate(raw, Int32(format.sampleRate))  // else LAME resamples silently at low rates
        lame_set_quality(raw, Int32(settings.quality))
        lame_set_findReplayGain(raw, 0)  // 11 to 13 % of the time of the command `lame`
        lame_set_write_id3tag_automatic(raw, 0)
        lame_set_bWriteVbrTag(raw, 0)  // MP3InfoTag writes it, for every preset and for joined segments alike
        switch settings.rate {
        case .constant(let kbps):
            lame_set_VBR(raw, vbr_off)
            lame_set_brate(raw, Int32(kbps))
        case .average(let kbps):
            lame_set_VBR(raw, vbr_abr)
            lame_set_VBR_mean_bitrate_kbps(raw, Int32(kbps))
        case .variable(let quality):
            lame_set_VBR(raw, vbr_mtrh)
            lame_set_VBR_q(raw, Int32(quality))
        }
        let status = lame_init_params(raw)
        guard status >= 0, lame_get_out_samplerate(raw) == Int32(format.sampleRate) else {
            lame_close(raw)
            throw .library(name: "LAME", code: Int(status))
        }
        return raw
    }

    /// The value of a full-scale sample. LAME's presets turn constant and average rates down (0.95 up to 160 kbps, 0.97 at
    /// 192, measured with 3.100: 0.44 and 0.26 dB); dividing by that keeps the level, which the limiter has chosen.
    borrowing func fullScale() -> Float { 32768 / lame_get_scale(raw) }

    /// Encodes planar samples of ±``fullScale()``; `right` equals `left` for mono.
    ///
    /// - Parameter output: room for 1.25 bytes a frame and 7200 more.
    /// - Returns: the bytes written, or LAME's negative error.
    borrowing func encode(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int, output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        Int(
            lame_encode_buffer_float(
                raw, left, right, Int32(clamping: frames), output.baseAddress, Int32(clamping: output.count)))
    }

    /// Encodes what is left, with silence behind it, and empties the bit reservoir. Nothing can be encoded after it.
    borrowing func flush(output: UnsafeMutableBufferPointer<UInt8>) -> Int {
        Int(lame_encode_flush(raw, output.baseAddress, Int32(clamping: output.count)))
    }

    /// What the info tag tells about the encoder.
    borrowing func facts() -> MP3EncoderFacts {
        MP3EncoderFacts(
            version: String(cString: get_lame_short_version()),
            lowpass: Int(lame_get_lowpassfreq(raw)),
            athType: Int(lame_get_ATHtype(raw)),
            athSensitivity: lame_get_athaa_sensitivity(raw),
            quality: Int(lame_get_quality(raw)),
            variableQuality: Int(lame_get_VBR_q(raw)),
            lowestKbps: Int(lame_get_VBR_min_bitrate_kbps(raw)),
            isSafeJoint: lame_get_mode(raw) == JOINT_STEREO && lame_get_exp_nspsytune(raw) & 2 != 0,
            encoderDelay: Int(lame_get_encoder_delay(raw)),
            fullScale: fullScale())
    }
}
