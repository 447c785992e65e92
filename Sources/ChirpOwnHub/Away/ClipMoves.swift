package import ChirpCommunity
package import ChirpCore
internal import ChirpStores
internal import FoundationEssentials

/// Moves the sound of older clips into a store, and removes there what was deleted here: by one process at a time, again and again.
///
/// A file leaves the hub's folder when the store has given all of it back once and the library says so. Killed at any moment, it goes on
/// where it was.
package struct ClipMoves: Sendable {
    /// What moves.
    package struct Plan: Hashable, Sendable {
        /// Seconds after which a file moves that was written, or fetched, so long ago.
        package var after: Double
        /// What files of clips may take here: beyond it the oldest move before their time. Nil: no bound.
        package var keep: ByteCount?

        package init(after: Double, keep: ByteCount? = nil) { (self.after, self.keep) = (after, keep) }
    }

    package enum Event: Hashable, Sendable {
        /// So many files were stored, let go here, and removed there.
        case moved(stored: Int, letGo: Int, removed: Int)
        /// It is tried again.
        case failed(why: String)
    }

    private let library: HubLibrary
    private let shelf: ClipShelf
    private let plan: Plan
    private let wait: @Sendable (Duration) async throws -> Void
    private let report: @Sendable (Event) -> Void

    /// After so long it looks for the first time: the hub is up then.
    private static let begin = Duration.seconds(2)
    /// How often it looks.
    package static let look = Duration.seconds(300)
    /// What was written or fetched within so many seconds stays: somebody may be about to open it.
    static let rest = 3600.0
    /// Of how many it is asked at once which of them may move.
    private static let handful = 500
    /// How many are removed a look.
    private static let most = 1000

    /// - Parameter wait: sleeps; throws when the task is cancelled.
    package init(
        _ library: HubLibrary, to shelf: ClipShelf, plan: Plan,
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        report: @escaping @Sendable (Event) -> Void
    ) {
        (self.library, self.shelf, self.plan, self.wait, self.report) = (library, shelf, plan, wait, report)
    }

    /// Runs until its task is cancelled. After a failure it looks ever later, at most an hour.
    package func run() async {
        var (failures, pause) = (0, Self.begin)
        while (try? await wait(pause)) != nil {
            failures = await look() ? 0 : failures + 1
            let rest = failures == 0 ? Self.look : .seconds(RetryPause.seconds(afterFailures: failures))
            pause = max(rest, Self.look)
        }
    }

    /// Does all there is to do.
    ///
    /// - Returns: false when something failed.
    package func look() async -> Bool {
        var (stored, letGo, removed) = (0, 0, 0)
        var failure: String?
        do throws(Stop) {
            removed = try await removeDeleted(&failure)
            for file in try await due() {
                if Task.isCancelled { break }
                guard let clip = try await begin(file.id) else { continue }
                if clip.state == .uploading {
                    guard try await store(clip, &failure) else { continue }
                    stored += 1
                }
                if try await leave(file.id) { letGo += 1 }
            }
        } catch {
            if case .failed(let why) = error { failure = why }
        }
        if stored + letGo + removed > 0 { report(.moved(stored: stored, letGo: letGo, removed: removed)) }
        if let failure { report(.failed(why: failure)) }
        return failure == nil
    }

    /// Why nothing more is done in this look.
    private enum Stop: Error {
        case cancelled
        case failed(String)

        init(_ error: LibraryError) { self = error == .cancelled ? .cancelled : .failed(error.whatHappened) }
        init(_ error: StoreError) { self = error == .cancelled ? .cancelled : .failed(error.whatHappened) }
    }

    /// The files that move now, the oldest first.
    private func due() async throws(Stop) -> [HubLibrary.LocalClip] {
        do throws(LibraryError) {
            let (files, now) = (try await library.localClips(), library.now())
            var excess = plan.keep.map { files.reduce(ByteCount(0)) { $0 + ByteCount($1.bytes) } - $0 } ?? ByteCount(0)
            var due: [HubLibrary.LocalClip] = []
            func isDue(_ file: HubLibrary.LocalClip) -> Bool {
                let age = now.timeIntervalSince(file.written)
                return age >= Self.rest && (age >= plan.after || excess > ByteCount(0))
            }
            for start in stride(from: 0, to: files.count, by: Self.handful) {
                let some = files[start..<min(start + Self.handful, files.count)]
                // The others are younger.
                guard let oldest = some.first, isDue(oldest) else { break }
                let movable = try await library.movable(among: some.map(\.id))
                for file in some where movable.contains(file.id) && isDue(file) {
                    due.append(file)
                    excess = excess - ByteCount(file.bytes)
                }
            }
            return due
        } catch {
            throw Stop(error)
        }
    }

    /// What is written down of a clip before anything of it leaves; nil for one that stays here, or is kept elsewhere.
    private func begin(_ id: HubID) async throws(Stop) -> StoredClip? {
        do {
            if let known = try await library.storedClip(id) { return known.place == shelf.place ? known : nil }
            let object = try await shelf.reserve()
            let clip = try await library.beginStoring(id, as: object, in: shelf.place)
            return clip?.place == shelf.place ? clip : nil
        } catch let error as StoreError {
            throw Stop(error)
        } catch let error as LibraryError {
            throw Stop(error)
        } catch {
            throw .failed("\(error)")
        }
    }

    /// - Returns: false when this clip cannot be stored, others perhaps can.
    private func store(_ clip: StoredClip, _ failure: inout String?) async throws(Stop) -> Bool {
        do throws(StoreError) {
            try await shelf.save(library.media.file(clip.clip), as: clip) { [library] session in
                // An upload whose session is not written down begins anew.
                try? await library.note(session: session, of: clip.object)
            }
        } catch {
            switch error {
            case .refused, .inputOutput:
                failure = "\(clip.clip.text): \(error.whatHappened)"
                return false
            default: throw Stop(error)
            }
        }
        do throws(LibraryError) { try await library.endStoring(clip.object) } catch { throw Stop(error) }
        return true
    }

    private func leave(_ id: HubID) async throws(Stop) -> Bool {
        do throws(LibraryError) {
            return try await library.letGo(id, writtenBefore: library.now().addingTimeInterval(-Self.rest))
        } catch {
            throw Stop(error)
        }
    }

    /// Removes what clips have left that were deleted. One that fails for good does not keep the others.
    private func removeDeleted(_ failure: inout String?) async throws(Stop) -> Int {
        var count = 0
        do {
            for object in try await library.leavingObjects(in: shelf.place, limit: Self.most) where !Task.isCancelled {
                do throws(StoreError) { try await shelf.remove(object) } catch {
                    guard error.isPermanent else { throw error }
                    failure = error.whatHappened
                    try await library.postpone(object: object)
                    continue
                }
                try await library.forget(object: object)
                count += 1
            }
        } catch let error as StoreError {
            throw Stop(error)
        } catch let error as LibraryError {
            throw Stop(error)
        } catch {
            throw .failed("\(error)")
        }
        return count
    }
}
