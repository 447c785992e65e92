/// Copies the valid frames into a block with another number of channels.
///
/// Two channels become one by their mean, so that nothing can clip and a mono recording stored as stereo keeps its level
/// (as dual mono, both have the same loudness). One channel becomes two equal ones. Both blocks have the same capacity.
///
/// - Parameter downmix: how two channels become one, when they shall not be mixed by their mean.
public func mix(_ source: borrowing AudioBlock, into target: inout AudioBlock, by downmix: MonoDownmix = .mean) {
    precondition(source.format.channels <= 2 && target.format.channels <= 2)
    target.resize(toFrames: source.frames)
    source.withPlane(0) { left in
        source.withPlane(source.format.channels - 1) { right in
            if target.format.channels == 1 {
                target.withMutablePlane(0) { mono in
                    switch downmix {
                    case .mean: for index in mono.indices { mono[index] = (left[index] + right[index]) * 0.5 }
                    case .difference: for index in mono.indices { mono[index] = (left[index] - right[index]) * 0.5 }
                    case .left: for index in mono.indices { mono[index] = left[index] }
                    case .right: for index in mono.indices { mono[index] = right[index] }
                    }
                }
            } else {
                target.withMutablePlane(0) { plane in
                    for index in plane.indices { plane[index] = left[index] }
                }
                target.withMutablePlane(1) { plane in
                    for index in plane.indices { plane[index] = right[index] }
                }
            }
        }
    }
}

/// How two channels become one.
public enum MonoDownmix: String, Hashable, Sendable, Codable {
    /// Their mean: as they are.
    case mean
    /// The mean of the left and the inverted right one: for a wire that is swapped, where the mean would cancel.
    case difference
    /// One alone: for channels that hold the same, but not always the same way round.
    case left
    case right
}
