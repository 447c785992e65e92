import ChirpAudio
import ChirpDevices
import ChirpTestKit
import Testing

@Suite struct FrameQueueTests {
    @Test(arguments: [1, 2], [1, 7, 64, 1000])
    func `frames leave in the order they came, whatever the sizes`(channels: Int, capacity: Int) {
        var generator = SeededGenerator(seed: 9)
        let format = AudioFormat(sampleRate: 8000, channels: channels)
        var queue = FrameQueue(channels: channels, capacity: capacity)
        var block = AudioBlock(format: format, capacity: 96)
        var next = 0
        var expected = 0
        for _ in 0..<2000 {
            if Bool.random(using: &generator) {
                let wanted = Int.random(in: 0...90, using: &generator)
                let samples = (0..<wanted * channels).map { Float((next + $0 / channels) % 4096 * 2 + $0 % channels) }
                let room = queue.room
                let taken = samples.withUnsafeBufferPointer { queue.append(interleaved: $0) }
                #expect(taken == min(wanted, room))
                next += taken
            } else {
                block.resize(toFrames: Int.random(in: 0...96, using: &generator))
                let held = queue.count
                let taken = queue.take(into: &block, at: 0)
                #expect(taken == min(held, block.frames))
                for channel in 0..<channels {
                    let right = block.withPlane(channel) { plane in
                        (0..<taken).allSatisfy { plane[$0] == Float((expected + $0) % 4096 * 2 + channel) }
                    }
                    #expect(right)
                }
                expected += taken
            }
            #expect(queue.count == next - expected && queue.count <= capacity)
        }
    }

    @Test func `frames stay readable by number until they are discarded`() {
        let format = AudioFormat(sampleRate: 8000, channels: 2)
        var queue = FrameQueue(channels: 2, capacity: 10)
        var block = AudioBlock(format: format, capacity: 8)
        block.resize(toFrames: 8)
        for channel in 0..<2 {
            block.withMutablePlane(channel) { plane in
                for index in 0..<8 { plane[index] = Float(index * 2 + channel) }
            }
        }
        #expect(queue.append(block, from: 0) == 8)
        queue.discard(before: 6)
        // Frames 8..<14 wrap around the end of the storage.
        #expect(queue.append(block, from: 2) == 6)
        #expect(queue.start == 6 && queue.end == 14 && queue.room == 2)
        var heard: [Float] = []
        var index = 7
        while index < queue.end {
            let run = queue.run(from: index, limit: 100)
            heard += Array(run)
            index += run.count / 2
        }
        #expect(heard == [14, 15] + (4...15).map(Float.init))
    }
}
