internal import CKernels

/// The filters of ``FourLaneMeter`` and ``LevelWindowMeter``. Their gains are kept apart: a sum of squares is multiplied once,
/// instead of every sample.
struct MeasuringFilters {
    private let kernel: chirp_measuring_filters
    private let measuresLoudnessOnly, removesRumble: Bool
    private let version: Int32
    /// For sums of squares.
    let loudnessGain, voiceGain: Double
    /// For a magnitude.
    let peakGain: Double

    /// - Parameters:
    ///   - rumble: whether the signal will lose what lies below 20 Hz, and shall be measured like that.
    ///   - loudnessOnly: leaves out rumble, voice and peak.
    ///   - version: of the loops.
    init(sampleRate: Int, rumble: Bool, loudnessOnly: Bool = false, version: Int) {
        precondition(Kernels.versions.contains(version))
        let removing = rumble ? Biquad.highPass(frequency: 20, sampleRate: sampleRate) : nil
        let voice = Biquad.highPass(frequency: 80, sampleRate: sampleRate)
        let shelf = Biquad.kShelf(sampleRate: sampleRate)
        kernel = chirp_measuring_filters(
            // Nothing below is followed: everything comes through.
            rumble: removing.map(chirp_high_pass.init) ?? chirp_high_pass(pull: 0, bend: 0),
            k_pass: chirp_high_pass(.kHighPass(sampleRate: sampleRate)), voice: chirp_high_pass(voice),
            k_shelf: chirp_biquad(b1: shelf.b1 / shelf.b0, b2: shelf.b2 / shelf.b0, a1: shelf.a1, a2: shelf.a2))
        measuresLoudnessOnly = loudnessOnly
        removesRumble = rumble
        self.version = Int32(version)
        peakGain = removing?.b0 ?? 1
        loudnessGain = (peakGain * shelf.b0) * (peakGain * shelf.b0)
        voiceGain = (peakGain * voice.b0) * (peakGain * voice.b0)
    }

    /// What the filters remember of a signal that has always had one value: an offset, which is nothing to hear.
    func memory(settledOn value: Float) -> chirp_measuring_memory {
        let lanes = (Double(value), Double(value), Double(value), Double(value))
        var memory = chirp_measuring_memory()
        // What follows the first filter that removes it hears nothing.
        if removesRumble {
            memory.values.0 = lanes
        } else {
            memory.values.2 = lanes
            memory.values.4 = lanes
        }
        return memory
    }

    /// Measures four places that lie so far apart; they may all be one.
    ///
    /// - Parameter samples: from the first one of the first place to the last one of the last.
    func run(
        _ memory: inout chirp_measuring_memory, over samples: borrowing Span<Float>, distance: Int
    ) -> chirp_measured {
        var measured = chirp_measured()
        samples.withUnsafeBufferPointer { samples in
            let count = samples.count - 3 * distance
            guard let base = samples.baseAddress, count > 0 else { return }
            withUnsafePointer(to: kernel) { kernel in
                if measuresLoudnessOnly {
                    chirp_measure_loudness(version, kernel, &memory, base, distance, count, &measured)
                } else {
                    chirp_measure(version, kernel, &memory, base, distance, count, &measured)
                }
            }
        }
        return measured
    }
}

extension chirp_high_pass {
    init(_ filter: Biquad) { self.init(pull: 2 + filter.a1, bend: 1 + filter.a1 + filter.a2) }
}
