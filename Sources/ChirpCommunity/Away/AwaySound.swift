internal import ChirpCore
internal import Synchronization

/// Fetches the sound of clips whose file is not here, for however many who ask: each once at a time.
///
/// Who asks waits for a bounded time. A fetch that takes longer goes on, so that the one who asks again finds the file.
package final class AwaySound: Sendable {
    /// Brings a file to its place, where it appears whole; tells by itself what went wrong.
    package typealias Fetch = @Sendable (StoredClip, _ goal: String) async -> Void

    private let fetch: Fetch
    private let patience: Duration
    private let clock: any Clock<Duration>
    private let places = AsyncSemaphore(width: 4)
    private let underWay = Mutex<Set<HubID>>([])

    /// More wait for nothing.
    private static let most = 256
    private static let look = Duration.milliseconds(20)

    /// - Parameter patience: after so long nobody waits on.
    package init(
        patience: Duration = .seconds(20), clock: any Clock<Duration> = ContinuousClock(), fetch: @escaping Fetch
    ) {
        (self.patience, self.clock, self.fetch) = (patience, clock, fetch)
    }

    /// Returns when a fetch has ended, well or not, or took too long.
    func bring(_ clip: StoredClip, to goal: String) async {
        let (isWanted, isNew) = underWay.withLock { clips in
            clips.contains(clip.clip)
                ? (true, false) : clips.count < Self.most ? (true, clips.insert(clip.clip).inserted) : (false, false)
        }
        guard isWanted else { return }
        if isNew {
            Task {
                if await places.enter() {
                    // Somebody who looked before the last fetch ended may come after it.
                    if await offPool({ MediaFile(goal) == nil }) { await fetch(clip, goal) }
                    places.leave()
                }
                _ = underWay.withLock { $0.remove(clip.clip) }
            }
        }
        for _ in 0..<Int(clamping: patience / Self.look) where underWay.withLock({ $0.contains(clip.clip) }) {
            guard (try? await clock.sleep(for: Self.look)) != nil else { return }
        }
    }
}

/// The bytes of a clip.
package enum ClipFile: Sendable {
    case here(MediaFile)
    /// They are kept elsewhere, and cannot be had now.
    case away
    /// There are none.
    case missing
}

extension HubLibrary {
    /// The sound of a clip, fetched when it is kept elsewhere.
    package func sound(of id: HubID) async -> ClipFile {
        let path = media.file(id)
        if let file = await offPool({ MediaFile(path) }) { return .here(file) }
        let stored: StoredClip?
        do throws(LibraryError) { stored = try await storedClip(id) } catch { return .away }
        guard let stored, stored.state == .there else { return .missing }
        await away?.bring(stored, to: path)
        return await offPool { MediaFile(path) }.map(ClipFile.here) ?? .away
    }
}
