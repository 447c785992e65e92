package import ChirpAudio
package import ChirpClips
internal import ChirpCodecs
package import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import ChirpFlows
internal import Glibc

/// A clip that was encoded while its recording was made, on its way to a file or into a publication.
package struct RecordedClip: Sendable {
    let made: IncrementalOutcome.Made
    /// Where the clip lies.
    package let path: String
    /// From the last sample to the clip, in seconds.
    let seconds: Double

    package init(made: IncrementalOutcome.Made, path: String, seconds: Double) {
        (self.made, self.path, self.seconds) = (made, path, seconds)
    }

    /// For its page on the hub, which then need not decode it.
    package var sound: HubSound { ClipPicture.sound(seconds: made.clip.seconds, outline: made.outline) }

    /// What is known of it and of its recording.
    package func receipt(of source: ClipSource) throws(AudioError) -> Receipt {
        let take = try AudioFile(opening: source.path, name: source.name)
        var receipt = Receipt(
            input: Receipt.Input(
                name: source.name, sha256: source.sha256,
                seconds: take.format.seconds(ofFrames: take.length ?? 0), sampleRate: take.format.sampleRate,
                channels: take.sourceChannels, format: take.sourceFormat),
            trim: made.trim, level: made.level, clip: made.clip)
        receipt.timings.render = seconds
        receipt.notes = made.notes
        return receipt
    }

    /// For ``FlowPorts/plan``: the publication takes the file.
    func maker(_ request: ClipRequest) throws(AudioError) -> ClipMaker {
        let receipt = try receipt(of: request.source)
        let path = path
        return ClipMaker(predictedBytes: ByteCount(made.clip.bytes), preview: receipt) {
            (target, _) async throws(AudioError) in
            do throws(FileError) { try AtomicFile.move(path, to: target, flushing: false) } catch {
                throw .inputOutput(path: target, reason: .system(error.error))
            }
            var receipt = receipt
            receipt.clip?.path = target
            return receipt
        }
    }
}
