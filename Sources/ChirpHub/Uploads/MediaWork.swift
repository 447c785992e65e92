package import ChirpBoards
package import ChirpCommunity
package import ChirpCore
internal import ChirpFiles
package import Logging
internal import Synchronization

/// Takes in what was received, in order, a few at a time; for as long as the server runs. What it has in hand when the process dies is
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
    private let waiting: AsyncStream<HubID>
    private let add: AsyncStream<HubID>.Continuation
    let waitingFilms: AsyncStream<HubID>
    private let addFilm: AsyncStream<HubID>.Continuation
    let waitingTracks: AsyncStream<HubID>
    private let addTrack: AsyncStream<HubID>.Continuation
    private struct Hands {
        /// This process takes in; until then what waits is in the tables alone.
        var isAtWork = false
        /// Those that wait or are being taken in: none is there twice.
        var busy: Set<HubID> = []
        /// Those of which more was wanted meanwhile.
        var again: Set<HubID> = []
        /// Films and tracks that wait or are being made.
        var films: Set<HubID> = []
    }
    private let hands = Mutex(Hands())
    /// The drafts whose clip is being made, so that a newer wish can end that.
    let makings = Mutex<[HubID: Task<ClipIntake.Made, any Error>]>([:])
    /// Hears of each draft that has become ready or refused.
    package let drafts = DraftSignals()

    /// After so many deaths of what reads it something is refused.
    static let mostDeaths = 2
    /// How long what could not be done now rests.
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
        (waiting, add) = AsyncStream.makeStream()
        (waitingFilms, addFilm) = AsyncStream.makeStream()
        (waitingTracks, addTrack) = AsyncStream.makeStream()
    }

    /// Something has its last byte.
    func take(_ id: HubID) { if hands.withLock({ $0.isAtWork }) { add.yield(id) } }

    /// Something may have been received by another process.
    func look() async throws(LibraryError) {
        guard hands.withLock({ $0.isAtWork }) else { return }
        for item in try await library.waitingMedia() {
            // What is in hand was looked at before; it may be wanted in another way now.
            let isBusy = hands.withLock { hands in
                if hands.busy.contains(item.id) { hands.again.insert(item.id) }
                return hands.busy.contains(item.id)
            }
            if !isBusy { add.yield(item.id) }
        }
    }

    /// Until the task is cancelled.
    package func run() async throws {
        hands.withLock { hands in
            hands = Hands()
            hands.isAtWork = true
        }
        defer { hands.withLock { $0.isAtWork = false } }
        // Those of an earlier process come first.
        for item in try await library.waitingMedia() { add.yield(item.id) }
        let places = AsyncSemaphore(width: intake.lanes)
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in await runFilms() }
            group.addTask { [self] in await runTracks() }
            for await id in waiting where begins(id) {
                // In order of arrival: the next is begun once there is a place.
                guard await places.enter() else { break }
                group.addTask { [self] in
                    await takeIn(id)
                    end(id)
                    places.leave()
                }
            }
            group.cancelAll()
        }
    }

    private func begins(_ id: HubID) -> Bool {
        hands.withLock { hands in
            guard hands.busy.insert(id).inserted else {
                hands.again.insert(id)
                return false
            }
            return true
        }
    }

    /// What was wanted while it was in hand comes next.
    private func end(_ id: HubID) {
        let isWantedAgain = hands.withLock { hands in
            hands.busy.remove(id)
            return hands.again.remove(id) != nil
        }
        if isWantedAgain { add.yield(id) }
    }

    /// A film or a track was made, or will not be.
    func ended(_ id: HubID) { hands.withLock { _ = $0.films.remove(id) } }

    /// Until it is a clip or refused, or nobody wants it any more.
    package func takeIn(_ id: HubID) async {
        await settle(id) { [self] item in
            // A film takes minutes: clips do not wait for it.
            if let film = try await library.film(id) {
                guard hands.withLock({ $0.films.insert(id).inserted }) else { return }
                if film.track == nil { addFilm.yield(id) } else { addTrack.yield(id) }
                return await onFilm()
            }
            if try await library.draft(id) != nil { return try await prepare(item) }
            try await check(item)
        }
    }

    /// Until what is to be done with it is done, or it is refused, or nobody wants it any more.
    func settle(_ id: HubID, _ body: @Sendable (MediaItem) async throws -> Void) async {
        while !Task.isCancelled {
            do {
                guard let item = try await library.waitingMedia(id) else { return }
                try await body(item)
                return
            } catch let failure as ClipIntake.Failure {
                switch failure {
                case .refused(let why):
                    if (try? await library.refuse(id, because: PlainText(why, limit: 500).value)) != nil { return }
                case .died:
                    let deaths = (try? await library.countDeath(over: id)) ?? Self.mostDeaths
                    logger.warning("what reads upload \(id) has died")
                    guard deaths >= Self.mostDeaths else { continue }
                    let why = "it cannot be read: what tried has died over it, twice"
                    if (try? await library.refuse(id, because: why)) != nil { return }
                case .notNow(let why): logger.warning("upload \(id) waits: \(why)")
                }
            } catch {
                logger.warning("upload \(id) waits: \((error as? any Explained)?.whatHappened ?? "\(error)")")
            }
            try? await clock.sleep(for: Self.rest)
        }
    }

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
        let made = try await intake.make(order)
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
