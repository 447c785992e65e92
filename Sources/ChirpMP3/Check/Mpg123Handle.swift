internal import CMpg123
package import ChirpAudio

/// Owns one libmpg123 decoder.
package struct Mpg123Handle: ~Copyable {
    package let raw: OpaquePointer

    /// A decoder that gives 32-bit float in the stream's own rate, gapless where the stream says how.
    package init() throws(AudioError) {
        // Needed by versions before 1.27 only, harmless afterwards; a static runs once and is thread-safe.
        _ = Self.library
        var code: Int32 = 0
        guard let raw = mpg123_new(nil, &code) else { throw .library(name: "libmpg123", code: Int(code)) }
        let flags = MPG123_QUIET.rawValue | MPG123_SKIP_ID3V2.rawValue | MPG123_GAPLESS.rawValue
        mpg123_param2(raw, Int32(MPG123_ADD_FLAGS.rawValue), Int(flags), 0)
        // Its resampler is coarse, and walks through as many frames as the stream announces: minutes for two billion.
        mpg123_param2(raw, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_AUTO_RESAMPLE.rawValue), 0)
        // Junk between frames is searched through to the end of the file: linear in its size.
        mpg123_param2(raw, Int32(MPG123_RESYNC_LIMIT.rawValue), -1, 0)
        self.raw = raw
    }

    deinit { mpg123_delete(raw) }

    /// Float output in the given rates and channel counts, and nothing else.
    package borrowing func allowFormats(rates: [Int], channels: Int32) -> Int32 {
        mpg123_format_none(raw)
        for rate in rates {
            let code = mpg123_format(raw, rate, channels, Int32(MPG123_ENC_FLOAT_32.rawValue))
            if code != MPG123_OK.rawValue { return code }
        }
        return Int32(MPG123_OK.rawValue)
    }

    private static let library = mpg123_init()
}
