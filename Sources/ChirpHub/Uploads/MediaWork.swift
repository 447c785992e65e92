internal import ChirpAccounts
package import ChirpBoards
package import ChirpCommunity
package import ChirpCore
internal import ChirpFiles
package import Logging
internal import Synchronization

/// Takes in what was received, account after account, a few at a time; for as long as the server runs. What it has in hand when the process dies is
/// taken up by the next one, and each step may be repeated.
package final class MediaWork: Sendable {
    let library: HubLibrary
    let quota: ByteCount
    let intake: ClipIntake
    /// Nil: none are taken in here.
    let films: FilmIntake?
    /// Nil: no tracks are.
    let tracks: TrackMaking?
    let trackLimits: TrackLimits
    /// Told whenever a film was received, and whenever it is ready or refused.
    let onFilm: @Sendable () async -> Void
    private let clock: any Clock<Duration>
    let logger: Logger
    private let clips: MediaQueue
    /// A film takes what processors there are, as a track does: one after another, so that clips do not wait for them.
    private let (waitingFilms, waitingTracks) = (MediaQueue(places: 1), MediaQueue(places: 1))
    /// This process takes in; until then what waits is in the tables alone.
    private let isAtWork = Atomic(false)
    /// How often something could not be done, in a row.
    private let setbacks = Mutex<[HubID: Int]>([:])
    /// What is being made, so that it ends when nobody wants it any more.
    private struct Making {
        /// A newer wish ends it too.
        let isOfWish: Bool
        let cancel: @Sendable () -> Void
    }
    private let makings = Mutex<[HubID: Making]>([:])
    /// Hears of each draft that has become ready or refused.
    package let drafts = DraftSignals()

    /// After so many deaths of what reads it something is refused.
    static let mostDeaths = 2
    /// What could not be done so often in a row is refused: it is taken for the file's fault, whatever was said of it.
    static let mostSetbacks = 5
    /// How long what could not be done now rests; twice as long after each further setback.
    private static let rest = Duration.seconds(10)

    package init(
        library: HubLibrary, quota: ByteCount, intake: ClipIntake, films: FilmIntake? = nil,
        tracks: TrackMaking? = nil, trackLimits: TrackLimits = TrackLimits(),
        clock: any Clock<Duration>, logger: Logger, onFilm: @escaping @Sendable () async -> Void = {}
    ) {
        self.library = library
        self.quota = quota
        self.intake = intake
        self.films = films
        self.tracks = tracks
        self.trackLimits = trackLimits
        self.onFilm = onFilm
        self.clock = clock
        self.logger = logger
        clips = MediaQueue(places: intake.lanes)
    }

    /// Something has its last byte, or another wish.
    func take(_ id: HubID, of owner: AccountID) {
        endSetbacks(id)
        if isAtWork.load(ordering: .relaxed) { clips.add(id, of: owner) }
    }

    /// Something was removed: what is made of it ends, so that its place is free as its room is.
    package func drop(_ id: HubID) { makings.withLock { $0[id] }?.cancel() }

    /// Something may have been received, changed or removed by another process.
    func look() async throws(LibraryError) {
        guard isAtWork.load(ordering: .relaxed) else { return }
        let begun = makings.withLock { Set($0.keys) }
        let items = try await library.waitingMedia()
        for item in items { clips.add(item.id, of: item.owner, isUrgent: false) }
        for id in begun.subtracting(items.map(\.id)) { drop(id) }
    }

    /// Until the task is cancelled.
    package func run() async throws {
        isAtWork.store(true, ordering: .relaxed)
        defer { isAtWork.store(false, ordering: .relaxed) }
        // Those of an earlier process come first.
        for item in try await library.waitingMedia() { clips.add(item.id, of: item.owner) }
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in await waitingFilms.work(by: clock) { await self.tryFilm($0) } }
            group.addTask { [self] in await waitingTracks.work(by: clock) { await self.tryTrack($0) } }
            await clips.work(by: clock) { await self.tryClip($0) }
            group.cancelAll()
        }
    }

    /// Until it is a clip or refused, or nobody wants it any more.
    package func takeIn(_ id: HubID) async { await repeating { await tryClip(id) } }

    /// Again and again, until there is nothing to rest for.
    func repeating(_ attempt: () async -> Duration?) async {
        while let rest = await attempt(), !Task.isCancelled { try? await clock.sleep(for: rest) }
    }

    private func tryClip(_ id: HubID) async -> Duration? {
        await attempt(id) { [self] item in
            if let film = try await library.film(id) {
                let queue = film.track == nil ? waitingFilms : waitingTracks
                if queue.add(id, of: item.owner, isUrgent: false) { await onFilm() }
                return
            }
            if try await library.draft(id) != nil {
                try await prepare(item)
            } else {
                try await check(item)
            }
            endSetbacks(id)
        }
    }

    /// It went well, or it is over; what has merely been handed on to another queue has its setbacks there.
    @discardableResult
    func endSetbacks(_ id: HubID) -> Duration? {
        setbacks.withLock { $0[id] = nil }
        return nil
    }

    /// One try, and what comes of it: done, refused, or another one later.
    ///
    /// - Returns: how long it is to rest, without a place; nil when there is nothing left to be done.
    func attempt(_ id: HubID, _ body: @Sendable (MediaItem) async throws -> Void) async -> Duration? {
        while !Task.isCancelled {
            do {
                guard let item = try await library.waitingMedia(id) else { return endSetbacks(id) }
                try await body(item)
                return nil
            } catch let failure as ClipIntake.Failure {
                switch failure {
                case .refused(let why):
                    if await giveUp(id, because: why) { continue }
                case .died:
                    let deaths = (try? await library.countDeath(over: id)) ?? Self.mostDeaths
                    logger.warning("what reads upload \(id) has died")
                    guard deaths >= Self.mostDeaths else { continue }
                    if await giveUp(id, because: Self.deadly) { continue }
                case .notNow(let why):
                    guard !Task.isCancelled else { return nil }
                    logger.warning("upload \(id) waits: \(why)")
                    let count = setbacks.withLock { setbacks in
                        setbacks[id, default: 0] += 1
                        return setbacks[id] ?? 1
                    }
                    guard count >= Self.mostSetbacks else { return Self.rest * (1 << (count - 1)) }
                    if await giveUp(id, because: Self.hopeless) { continue }
                case .unable(let why): logger.warning("upload \(id) waits: \(why)")
                }
            } catch {
                logger.warning("upload \(id) waits: \((error as? any Explained)?.whatHappened ?? "\(error)")")
            }
            return Self.rest
        }
        return nil
    }

    /// What was wrong each time is in the log: it can name files of the server.
    private static let hopeless =
        "it could not be made in \(mostSetbacks) tries; if it plays elsewhere, save it in another format and send that"
    static let deadly = "it cannot be read: what tried has died over it, twice"

    /// Of a draft the part that could not be made is refused, or its picture is one of nothing; anything else is refused whole.
    ///
    /// - Returns: false when that could not be written down.
    private func giveUp(_ id: HubID, because why: String) async -> Bool {
        endSetbacks(id)
        do {
            if let draft = try await library.draft(id) { return try await giveUp(draft, because: why) }
            try await library.refuse(id, because: PlainText(why, limit: 500).value)
            return true
        } catch {
            return false
        }
    }

    /// Makes something in a task of its own, which ends when what was sent is removed.
    ///
    /// - Parameters:
    ///   - isOfWish: it also ends when something else is wanted of it.
    ///   - isWanted: asked once it can be ended: it may have been removed before.
    func making<Made: Sendable>(
        _ id: HubID, isOfWish: Bool = false,
        isWanted: @Sendable () async throws -> Bool, _ body: @escaping @Sendable () async throws -> Made
    ) async throws -> Made {
        let task = Task { try await body() }
        makings.withLock { $0[id] = Making(isOfWish: isOfWish, cancel: { task.cancel() }) }
        defer { makings.withLock { $0[id] = nil } }
        return try await withTaskCancellationHandler {
            if (try? await isWanted()) == false { task.cancel() }
            return try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// The same for what is wanted for as long as it waits.
    func making<Made: Sendable>(
        _ id: HubID, _ body: @escaping @Sendable () async throws -> Made
    ) async throws -> Made {
        try await making(id, isWanted: { [library] in try await library.waitingMedia(id) != nil }, body)
    }

    /// What is made for an older wish of a draft ends.
    func endOlder(_ id: HubID) { makings.withLock { $0[id].flatMap { $0.isOfWish ? $0 : nil } }?.cancel() }

    private func check(_ item: MediaItem) async throws {
        let input = library.uploads.file(item.id)
        let digest = try await digest(input)
        try await library.note(sha256: digest.sha256, of: item.id)
        guard item.wishes.sha256 ?? digest.sha256 == digest.sha256 else {
            throw ClipIntake.Failure.refused("it is not what was announced: its SHA-256 is another")
        }
        let id = item.wishes.clip ?? HubID()
        if let existing = try await library.unfilteredClip(id) {
            // The clip was there before the row said so; a process may have died in between.
            try await finish(item, existing, receipt: try await library.receipt(of: item.id))
            return
        }
        guard try await library.isFree(id) else { throw ClipIntake.Failure.refused("another clip had this id") }
        let isKept = item.wishes.kind == .keep
        let goal = library.media.file(id)
        let order = ClipIntake.Order(
            id: item.id.text, input: input, name: item.wishes.fileName.isEmpty ? "recording" : item.wishes.fileName,
            title: item.wishes.title, sha256: digest.sha256, goal: isKept ? nil : goal)
        let made = try await making(item.id) { [intake] in try await intake.make(order) }
        if isKept {
            guard made.sha256 == digest.sha256, made.bytes == digest.bytes else {
                throw ClipIntake.Failure.notNow("what was looked at is not what was received")
            }
            try await offPool { [library] () throws(LibraryError) in
                try library.media.take(input, as: id, bytes: digest.bytes, sha256: digest.sha256)
            }
        }
        let now = library.now()
        var clip = HubClip(
            id: id, title: item.wishes.title,
            fileName: HubClip.fileName(of: item.wishes.fileName, title: item.wishes.title, made: now),
            contentType: "audio/mpeg", bytes: made.bytes, sha256: made.sha256,
            sound: HubSound(seconds: made.seconds, peaks: made.peaks), created: now, expires: item.wishes.lasting,
            shared: false)
        clip.owner = item.owner
        try await finish(item, clip, receipt: made.receipt)
    }

    private func finish(_ item: MediaItem, _ clip: HubClip, receipt: String?) async throws {
        do throws(UploadRefusal) {
            _ = try await library.finish(item, as: clip, receipt: receipt, quota: quota)
        } catch {
            switch error {
            case .library(let error): throw error
            case .overQuota(let limit, _):
                throw ClipIntake.Failure.refused("the clip is more than is left of the \(limit) of this account")
            case .noRoom: throw ClipIntake.Failure.refused("the hub has no room left for the clip")
            case .taken: throw ClipIntake.Failure.refused("another clip has this id")
            case .nothing, .elsewhere, .notAsAnnounced, .tooMany: return
            }
        }
    }

    func digest(_ path: String) async throws -> FileDigest {
        do throws(FileError) {
            return try await offPool { () throws(FileError) in try FileDigest.reading(path) }
        } catch {
            if error.isMissing { throw ClipIntake.Failure.refused("its bytes are not here any more") }
            throw ClipIntake.Failure.notNow(error.reason)
        }
    }
}
