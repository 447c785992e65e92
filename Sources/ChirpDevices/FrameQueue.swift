package import ChirpAudio

/// A bounded queue of interleaved frames, addressed by their number since the beginning.
///
/// It stands between a device's thread and the reader or writer; whoever uses it holds the lock that guards it. Storage is
/// one allocation, made once. Frames before ``start`` are gone, those from ``end`` on have not come yet.
package struct FrameQueue: ~Copyable {
    package let channels: Int
    /// The most frames it holds.
    package let capacity: Int
    /// The number of the oldest frame held.
    package private(set) var start = 0
    /// The number of the next frame to come.
    package private(set) var end = 0
    private let storage: UnsafeMutablePointer<Float>

    package init(channels: Int, capacity: Int) {
        precondition(channels > 0 && capacity > 0)
        self.channels = channels
        self.capacity = capacity
        storage = .allocate(capacity: channels * capacity)
        storage.initialize(repeating: 0, count: channels * capacity)
    }

    deinit { storage.deallocate() }

    package var count: Int { end - start }
    package var room: Int { capacity - count }

    /// Takes as many of the interleaved frames as there is room for.
    ///
    /// - Returns: how many it took; the first ones.
    package mutating func append(interleaved frames: UnsafeBufferPointer<Float>) -> Int {
        let taken = min(frames.count / channels, room)
        guard let source = frames.baseAddress else { return 0 }
        var done = 0
        while done < taken {
            let (slot, run) = place(end, limit: taken - done)
            slot.update(from: source + done * channels, count: run * channels)
            done += run
            end += run
        }
        return taken
    }

    /// Takes as many frames of the block from `offset` on as there is room for.
    ///
    /// - Returns: how many it took.
    package mutating func append(_ block: borrowing AudioBlock, from offset: Int) -> Int {
        precondition(block.format.channels == channels)
        let taken = min(block.frames - offset, room)
        var done = 0
        while done < taken {
            let (slot, run) = place(end, limit: taken - done)
            for channel in 0..<channels {
                block.withPlane(channel) { plane in
                    spread(plane, from: offset + done, count: run, to: slot + channel, stride: channels)
                }
            }
            done += run
            end += run
        }
        return taken
    }

    /// Moves the oldest frames into the block from `offset` on, as many as there are and fit.
    ///
    /// - Returns: how many.
    package mutating func take(into block: inout AudioBlock, at offset: Int) -> Int {
        precondition(block.format.channels == channels)
        let taken = min(block.frames - offset, count)
        var done = 0
        while done < taken {
            let (slot, run) = place(start, limit: taken - done)
            for channel in 0..<channels {
                block.withMutablePlane(channel) { plane in
                    gather(slot + channel, stride: channels, count: run, into: &plane, at: offset + done)
                }
            }
            done += run
            start += run
        }
        return taken
    }

    /// The frames from number `index` on that lie in one piece, at most `limit`; empty at the end.
    package func run(from index: Int, limit: Int) -> UnsafeBufferPointer<Float> {
        precondition(index >= start && index <= end)
        let (slot, frames) = place(index, limit: min(limit, end - index))
        return UnsafeBufferPointer(start: slot, count: frames * channels)
    }

    /// Forgets all frames before number `index`.
    package mutating func discard(before index: Int) {
        precondition(index <= end)
        start = max(start, index)
    }

    /// Where a frame lies, and how many from there lie in one piece, at most `limit`.
    private func place(_ index: Int, limit: Int) -> (slot: UnsafeMutablePointer<Float>, frames: Int) {
        let position = index % capacity
        return (storage + position * channels, min(limit, capacity - position))
    }
}

/// Copies samples of one plane to every `stride`-th place.
private func spread(
    _ plane: borrowing Span<Float>, from offset: Int, count: Int, to target: UnsafeMutablePointer<Float>, stride: Int
) {
    precondition(offset >= 0 && offset + count <= plane.count)
    for index in 0..<count { target[index * stride] = plane[offset + index] }
}

/// Copies every `stride`-th sample into one plane.
private func gather(
    _ source: UnsafeMutablePointer<Float>, stride: Int, count: Int, into plane: inout MutableSpan<Float>, at offset: Int
) {
    precondition(offset >= 0 && offset + count <= plane.count)
    for index in 0..<count { plane[offset + index] = source[index * stride] }
}
