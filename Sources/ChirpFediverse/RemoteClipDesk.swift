internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import ChirpHTTP
internal import ChirpNetworks
internal import Foundation

/// Fetches the sound of clips that people elsewhere have posted, and has clips made of it, several people at once and each in the order of
/// what was posted.
///
/// What is to be fetched is a row before, and a post behind: a hub that is killed in between fetches it again, under the same id.
package struct RemoteClipDesk: Sendable {
    let library: HubLibrary
    let making: RemoteClipMaking
    let downloader: ClipDownloader
    let clock: any Clock<Duration>
    let say: @Sendable (String) -> Void
    private let bell = Bell()

    /// Of how many people something is fetched at once. Some answer slowly on purpose.
    static let atOnce = 4
    /// The most bytes of a file: an uncompressed clip of the usual length has half of it.
    static let mostBytes: Int64 = 64 << 20
    /// The most that fetching one may take.
    static let patience = Duration.seconds(120)
    /// How long the loop sleeps when nothing waits, in seconds.
    static let rest = 10.0
    /// How often it is tried: within a quarter of an hour. Who has posted it is not heard until then, and afterwards without it.
    static let mostTries = 5

    init(
        library: HubLibrary, making: RemoteClipMaking, transport: any HTTPTransport, allowsLoopback: Bool,
        clock: any Clock<Duration>, say: @escaping @Sendable (String) -> Void
    ) {
        (self.library, self.making, self.clock, self.say) = (library, making, clock, say)
        downloader = ClipDownloader(
            transport: transport, trusted: transport, rules: HostRules(trustsLoopback: allowsLoopback),
            retry: RetryPolicy(attempts: 2))
    }

    /// Fetches whenever something waits, until cancelled; what is on its way then waits for the next start.
    package func run() async {
        // What an earlier process has left there is begun anew.
        try? FileManager.default.removeItem(atPath: folder)
        let endWatching = library.remoteClipsChanged { [bell] in bell.ring() }
        defer { endWatching() }
        await withTaskGroup(of: Int64?.self) { group in
            var busy: Set<Int64> = []
            var isWaiting = false
            while !Task.isCancelled {
                for clip in await due(beside: busy) {
                    busy.insert(clip.actor)
                    group.addTask {
                        await take(clip)
                        return clip.actor
                    }
                }
                if !isWaiting {
                    isWaiting = true
                    let pause = await pause(isBusy: !busy.isEmpty)
                    group.addTask {
                        try? await bell.wait(.seconds(pause), clock)
                        return nil
                    }
                }
                switch await group.next() {
                case .some(.some(let actor)): busy.remove(actor)
                case .some(.none): isWaiting = false
                case nil: break
                }
            }
            group.cancelAll()
        }
    }

    /// Fetches what is due, and returns when nothing is.
    package func round() async {
        while !Task.isCancelled {
            let clips = await due(beside: [])
            if clips.isEmpty { return }
            await withTaskGroup(of: Void.self) { group in
                for clip in clips { group.addTask { await take(clip) } }
            }
        }
    }

    private func due(beside busy: Set<Int64>) async -> [RemoteClip] {
        guard busy.count < Self.atOnce else { return [] }
        do throws(LibraryError) {
            return try await library.dueRemoteClips(beside: busy, limit: Self.atOnce - busy.count)
        } catch {
            tell(error)
            return []
        }
    }

    private func pause(isBusy: Bool) async -> Double {
        let next = (try? await library.nextRemoteClip()) ?? nil
        return min(Self.rest, max(isBusy ? 5 : 1, next.map { $0.timeIntervalSince(library.now()) } ?? Self.rest))
    }

    private func take(_ clip: RemoteClip) async {
        do {
            let folder = "\(folder)/\(clip.clip.text)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let file = "\(folder)/sound"
            try await fetch(clip, to: file)
            try await make(clip, of: file)
        } catch let error as LibraryError {
            // It has nothing to do with the clip, which is tried as often as it takes.
            tell(error)
            try? await clock.sleep(for: .seconds(5))
        } catch let error as NetworkError {
            var asked: Double?
            if case .busy(let after) = error { asked = after.map { Double($0.components.seconds) } }
            await failed(clip, error.whatHappened, isForGood: error.isPermanent, asked: asked ?? 0)
        } catch let failure as RemoteClipMaking.Failure {
            switch failure {
            case .refused(let why): await failed(clip, why, isForGood: true)
            case .died: await failed(clip, "what reads it has died", isForGood: clip.tries > 0)
            case .notNow(let why): await failed(clip, why, isForGood: false)
            }
        } catch {
            await failed(clip, "\(error)", isForGood: false)
        }
    }

    private var folder: String { "\(library.folder)/fetched" }

    private func fetch(_ clip: RemoteClip, to file: String) async throws {
        let address = ClipLinks(hubs: []).address(of: clip.sound) ?? .attachment(clip.sound)
        if let host = WebAddress(clip.sound).map(FediverseLinks.host(of:)) {
            let rules = try await library.serverRules()
            // Servers keep files where others do too, so what is allowed by name is no rule for these.
            if !rules.isAllowList, !rules.lets(host) { throw NetworkError.forbidden("\(host) is blocked") }
        }
        let (downloader, clock) = (downloader, clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await downloader.download(address, to: file, limit: Self.mostBytes) }
            group.addTask {
                try await clock.sleep(for: Self.patience)
                throw NetworkError.unreachable("it took longer than \(Self.patience)")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func make(_ clip: RemoteClip, of file: String) async throws {
        let digest = try await offPool { () throws(FileError) in try FileDigest.reading(file) }
        let made = try await making.make(
            RemoteClipMaking.Order(
                clip: clip.clip, input: file, title: clip.title, sha256: digest.sha256,
                goal: library.media.file(clip.clip)))
        let now = library.now()
        let kept = HubClip(
            id: clip.clip, title: clip.title,
            fileName: HubClip.fileName(of: "", title: clip.title, made: now), contentType: "audio/mpeg",
            bytes: made.bytes, sha256: made.sha256, sound: made.sound, created: now,
            expires: now.addingTimeInterval(RemoteClip.lasting), shared: true)
        guard let gone = try await library.receive(clip, as: kept) else {
            try await library.remove(clip.clip)
            return await failed(clip, "nobody follows any more, or there is no room", isForGood: true)
        }
        for id in gone { try await library.remove(id) }
    }

    /// - Parameter asked: for how many seconds its server wants to be left alone.
    private func failed(_ clip: RemoteClip, _ why: String, isForGood: Bool, asked: Double = 0) async {
        if Task.isCancelled { return }
        let pause = max(RetryPause.seconds(afterFailures: clip.tries + 1), min(asked, RetryPause.longest))
        let isOver = isForGood || clip.tries + 1 >= Self.mostTries
        let next = isOver ? nil : library.now().addingTimeInterval(pause)
        do throws(LibraryError) {
            try await library.failed(clip, why: PlainText(why, limit: 300).value, next: next)
            if next == nil { say("a clip of somebody elsewhere cannot be had: \(why)") }
        } catch {
            tell(error)
            // What cannot be written down is not tried again at once.
            try? await clock.sleep(for: .seconds(5))
        }
    }

    private func tell(_ error: LibraryError) {
        if error != .cancelled { say("clips of people elsewhere wait: \(error.whatHappened)") }
    }
}
