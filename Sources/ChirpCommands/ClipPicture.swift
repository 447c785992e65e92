package import ChirpAudio
package import ChirpClips
internal import ChirpCodecs
package import ChirpCommunity
internal import ChirpCore
package import ChirpOwnHub

/// The length and the outline of a finished clip, for its page.
package enum ClipPicture {
    /// Columns of the picture.
    package static let columns = 200

    /// Nil when the clip cannot be decoded; its page then has no picture.
    package static let measure: HubStore.Measure = { path in
        await offPool { () -> HubSound? in try? outline(path) }
    }

    private static func outline(_ path: String) throws(AudioError) -> HubSound {
        try outline(try AudioFile(opening: path, name: "clip"))
    }

    /// The same of a clip that is being read. Blocking.
    package static func outline<Reader: AudioReader & ~Copyable>(
        _ reader: consuming Reader, columns: Int = ClipPicture.columns
    ) throws(AudioError) -> HubSound {
        var file = reader
        let format = file.format
        // The length is certain only at the end, so there is a peak per few frames first; a day of them is 8 MB.
        var block = AudioBlock(format: format, capacity: 512)
        var (peaks, frames): ([Float], Int) = ([], 0)
        while try file.read(into: &block) {
            var highest: Float = 0
            for channel in 0..<format.channels {
                let peak = block.withPlane(channel) { highestMagnitude($0) }
                if peak > highest { highest = peak }
            }
            peaks.append(highest)
            frames += block.frames
        }
        return HubSound(seconds: format.seconds(ofFrames: frames), peaks: reduced(peaks, to: columns))
    }

    /// What is known already of a clip that was measured while it was made.
    ///
    /// - Parameter outline: the highest magnitudes of equally long stretches, 1 being full scale.
    package static func sound(seconds: Double, outline: [Float]) -> HubSound {
        HubSound(seconds: seconds, peaks: reduced(outline, to: columns))
    }

    /// The same from what the check of a clip found.
    package static func sound(_ outline: ClipOutline) -> HubSound {
        sound(seconds: outline.seconds, outline: outline.magnitudes)
    }

    private static func reduced(_ peaks: [Float], to columns: Int) -> [UInt8] {
        let count = min(columns, peaks.count)
        return (0..<count).map { column in
            let range = (column * peaks.count / count)..<((column + 1) * peaks.count / count)
            let highest = peaks[range].max() ?? 0
            return UInt8(min(255, (highest * 255).rounded()))
        }
    }

    private static func highestMagnitude(_ samples: Span<Float>) -> Float {
        var lanes = SIMD4<Float>(repeating: 0)
        var index = 0
        while index + 4 <= samples.count {
            let four = SIMD4(samples[index], samples[index + 1], samples[index + 2], samples[index + 3])
            let magnitude = four.replacing(with: -four, where: four .< 0)
            lanes.replace(with: magnitude, where: magnitude .> lanes)
            index += 4
        }
        var highest = lanes.max()
        while index < samples.count {
            let magnitude = abs(samples[index])
            if magnitude > highest { highest = magnitude }
            index += 1
        }
        return highest
    }
}
