internal import CEbur128
internal import ChirpAudio

/// Owns a libebur128 state (`ebur128_state *`), the reference that `LoudnessMeter` is tested against.
struct Ebur128Handle: ~Copyable {
    let raw: UnsafeMutablePointer<ebur128_state>

    init(format: AudioFormat) throws(AudioError) {
        let modes: [mode] = [EBUR128_MODE_I, EBUR128_MODE_S, EBUR128_MODE_LRA, EBUR128_MODE_TRUE_PEAK]
        let bits = modes.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) }
        guard let raw = ebur128_init(UInt32(format.channels), UInt(format.sampleRate), bits) else {
            throw .library(name: "libebur128", code: 1)
        }
        self.raw = raw
    }

    deinit {
        var state: UnsafeMutablePointer<ebur128_state>? = raw
        ebur128_destroy(&state)
    }
}
