/// The largest magnitude taken for a sample: 96 dB above full scale, which float files with integer scaling reach.
let largestSample: Float = 65_536

/// Replaces what is not a number, infinite or beyond ``largestSample`` by silence. LAME aborts the process on such values.
///
/// - Returns: how many were replaced.
func silenceInvalid(_ samples: inout [Float], count: Int) -> Int {
    var span = samples.mutableSpan
    precondition(count <= span.count)
    var invalid: Int32 = 0
    for index in 0..<count {
        let value = span[index]
        // False for NaN too.
        let valid = abs(value) <= largestSample
        span[index] = valid ? value : 0
        invalid &+= valid ? 0 : 1
    }
    return Int(invalid)
}

/// Adds up the channels of interleaved frames, each with its weight.
func mixDown(_ samples: [Float], weights: [Float], into plane: inout MutableSpan<Float>) {
    let source = samples.span
    let channels = weights.count
    precondition(source.count >= plane.count * channels)
    for frame in plane.indices { plane[frame] = 0 }
    for channel in 0..<channels where weights[channel] != 0 {
        let weight = weights[channel]
        for frame in plane.indices { plane[frame] += weight * source[frame * channels + channel] }
    }
}
