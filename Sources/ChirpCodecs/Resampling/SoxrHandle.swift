internal import CSoxr
internal import ChirpAudio

/// Owns a libsoxr resampler (`soxr_t`) of interleaved floats.
struct SoxrHandle: ~Copyable {
    let raw: soxr_t

    init(from input: Int, to output: Int, channels: Int) throws(AudioError) {
        var problem: soxr_error_t?
        var io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
        var quality = soxr_quality_spec(UInt(SOXR_HQ), 0)
        guard let raw = soxr_create(Double(input), Double(output), UInt32(channels), &problem, &io, &quality, nil),
            problem == nil
        else { throw .library(name: "libsoxr", code: 1) }
        self.raw = raw
    }

    deinit { soxr_delete(raw) }
}
