internal import ChirpAudio
internal import Synchronization

/// The clip that a lane would become, kept on the disk while the recording goes on, so that its end, its head and its name
/// are all that is left to do. It is only a staged file: without it the clip is the same and comes later.
///
/// It has no name, so that nothing is left of it whatever happens to the process. Where the file system has no such files,
/// or writing fails, there is no staged file.
final class StagedClip: Sendable {
    private struct Content: ~Copyable {
        var file: StagedFile?
        var isGivenUp = false
    }

    private let content = Mutex(Content())
    private let stream: LaneStream
    private let target: IncrementalTarget

    /// How far from the wanted gain a staged file may come to be begun, and to be kept, in dB. The nearest lane is at most a sixth
    /// of a step away (0.25 dB): the next one, which may become the nearest, is staged too.
    private static let (near, far) = (0.5, 0.65)
    /// Bytes that may wait for the disk: two seconds at 64 kbps, as with the take.
    private static let unflushed = 16384

    init(of stream: LaneStream, target: IncrementalTarget) {
        self.stream = stream
        self.target = target
    }

    /// Brings the staged file up to date as it is.
    ///
    /// - Parameter isUnwanted: asked now and then; true ends it early.
    func follow(isUnwanted: () -> Bool) {
        content.withLock { content in
            // What fails is gone.
            guard var file = content.file.take() else { return }
            content.isGivenUp = true
            do throws(AudioError) {
                let isPossible = try file.grow(isUnwanted: isUnwanted)
                try file.flush(leaving: Self.unflushed)
                guard isPossible, file.bytes <= target.mostStagedBytes else { return }
                content.file = consume file
                content.isGivenUp = false
            } catch {}
        }
    }

    /// Begins the staged file, begins it anew, or drops it, as is wanted now.
    ///
    /// - Parameters:
    ///   - start: the first PCM frame to keep.
    ///   - gain: how much louder than the lane; nil when the lane is of no use.
    func turn(to start: Int, _ gain: Decibels?) {
        content.withLock { content in
            let staged = content.file.take()
            guard !content.isGivenUp, let gain, let head = stream.head(from: start) else { return }
            let patch = GlobalGainPatch(nearest: gain)
            guard abs((gain - patch.gain).value) <= (staged == nil ? Self.near : Self.far) else { return }
            content.isGivenUp = true
            do throws(AudioError) {
                var file = try StagedFile.open(staged, or: target, of: stream, isNameless: true)
                try file.begin(head, patch)
                content.file = consume file
                content.isGivenUp = false
            } catch {}
        }
    }

    /// Gives the staged file away, once.
    func take() -> StagedFile? { content.withLock { $0.file.take() } }
}
