package import ChirpAudio
internal import ChirpCodecs
package import ChirpMusic

/// The beginning of a recording as one channel at another rate.
struct MonoSamples: ~Copyable {
    private var resampler: Resampler?
    private var out: AudioBlock
    private var samples: [Float] = []
    private let most: Int

    /// - Parameter longest: in seconds; what is behind that is left out.
    init(from rate: Int, to target: Int, longest: Double) throws(AudioError) {
        let format = AudioFormat(sampleRate: rate, channels: 1)
        resampler = rate == target ? nil : try Resampler(from: format, to: target)
        out = AudioBlock(format: AudioFormat(sampleRate: target, channels: 1))
        most = Int(longest * Double(target))
    }

    var isFull: Bool { samples.count >= most }

    /// - Parameter block: of one channel.
    mutating func add(_ block: borrowing AudioBlock) throws(AudioError) {
        guard !isFull else { return }
        guard resampler != nil else {
            keep(block)
            return
        }
        resampler?.add(block)
        while try resampler?.take(into: &out) ?? false { keepOut() }
    }

    mutating func finish() throws(AudioError) -> [Float] {
        while !isFull, try resampler?.drain(into: &out) ?? false { keepOut() }
        if samples.count > most { samples.removeLast(samples.count - most) }
        return samples
    }

    private mutating func keepOut() {
        out.withPlane(0) { plane in plane.withUnsafeBufferPointer { samples.append(contentsOf: $0) } }
    }

    private mutating func keep(_ block: borrowing AudioBlock) {
        block.withPlane(0) { plane in plane.withUnsafeBufferPointer { samples.append(contentsOf: $0) } }
    }
}

extension MonoSamples {
    /// The beginning of a file; nothing behind it is decoded.
    ///
    /// - Throws: what the reader throws, `cancelled`.
    static func read(_ path: String, name: String, rate: Int, longest: Double) throws(AudioError) -> [Float] {
        var file = try AudioFile(opening: path, name: name)
        var mono = try MonoSamples(from: file.format.sampleRate, to: rate, longest: longest)
        var block = AudioBlock(format: file.format)
        var one = AudioBlock(format: AudioFormat(sampleRate: file.format.sampleRate, channels: 1))
        while !mono.isFull, try file.read(into: &block) {
            guard !Task.isCancelled else { throw .cancelled }
            mix(block, into: &one)
            try mono.add(one)
        }
        return try mono.finish()
    }
}

extension TaggedLeak {
    /// The beginning of a file as it is compared: one channel at ``rate``, at most ``longest``; 10 MB.
    ///
    /// - Throws: ``AudioError``: `undecodable`, ...
    package static func samples(of path: String, name: String) throws(AudioError) -> [Float] {
        try MonoSamples.read(path, name: name, rate: rate, longest: longest)
    }
}
