/// Weaves the valid frames of a block into one run of samples, frame by frame: what most C libraries want.
///
/// - Parameter samples: has room for frames times channels.
public func interleave(_ block: borrowing AudioBlock, into samples: inout MutableSpan<Float>) {
    let channels = block.format.channels
    precondition(samples.count >= block.frames * channels)
    for channel in 0..<channels {
        block.withPlane(channel) { plane in
            var target = channel
            for index in plane.indices {
                samples[target] = plane[index]
                target += channels
            }
        }
    }
}

/// Unweaves frames into the planes of a block and makes exactly those frames valid.
///
/// - Parameters:
///   - samples: whole frames of the block's channels.
///   - frames: how many; they fit into the block.
public func deinterleave(_ samples: borrowing Span<Float>, frames: Int, into block: inout AudioBlock) {
    let channels = block.format.channels
    precondition(samples.count >= frames * channels)
    block.resize(toFrames: frames)
    for channel in 0..<channels {
        block.withMutablePlane(channel) { plane in
            var source = channel
            for index in plane.indices {
                plane[index] = samples[source]
                source += channels
            }
        }
    }
}

/// Takes one channel out of interleaved frames.
///
/// - Parameters:
///   - samples: at least `plane.count * channels`.
///   - channel: 0..<channels.
package func deinterleave(_ samples: [Float], channel: Int, of channels: Int, into plane: inout MutableSpan<Float>) {
    let source = samples.span
    precondition(source.count >= plane.count * channels && channel < channels)
    switch channels {
    case 1: for frame in plane.indices { plane[frame] = source[frame] }
    case 2: for frame in plane.indices { plane[frame] = source[2 * frame + channel] }
    default: for frame in plane.indices { plane[frame] = source[frame * channels + channel] }
    }
}
