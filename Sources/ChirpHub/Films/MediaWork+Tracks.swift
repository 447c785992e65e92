internal import ChirpBoards
package import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import FoundationEssentials

/// From a track that was received to what others hear of it.
extension MediaWork {
    /// Until it is ready or refused, or nobody wants it any more.
    package func takeInTrack(_ id: HubID) async { await repeating { await tryTrack(id) } }

    func tryTrack(_ id: HubID) async -> Duration? {
        let rest = await attempt(id) { [self] item in
            guard try await library.film(id)?.track != nil else { return }
            try await prepareTrack(item)
            endSetbacks(id)
        }
        if rest == nil { await endFilm(id) }
        return rest
    }

    /// The files come first, and the row makes them count: whoever dies in between leaves files that the next try replaces or a sweep removes.
    private func prepareTrack(_ item: MediaItem) async throws {
        guard let tracks else { throw ClipIntake.Failure.unable("this server takes no tracks in") }
        let input = library.uploads.file(item.id)
        let digest = try await digest(input)
        try await library.note(sha256: digest.sha256, of: item.id)
        guard item.wishes.sha256 ?? digest.sha256 == digest.sha256 else {
            throw ClipIntake.Failure.refused("it is not what was announced: its SHA-256 is another")
        }
        let clip = HubID()
        let (path, name) = (library.media.file(clip), item.wishes.fileName.isEmpty ? "track" : item.wishes.fileName)
        let title = item.wishes.title.isEmpty ? name : item.wishes.title
        let person = try await library.author(item.owner)?.name ?? ""
        let order = TrackMaking.Order(
            id: item.id.text, input: input, name: name, preview: path, title: title, person: person,
            longest: trackLimits.longest)
        let made = try await making(item.id) { try await Self.make(tracks, order) }
        let sound = try await self.digest(path)
        // What others hear is never what is sold.
        guard sound.sha256 != digest.sha256 else {
            throw ClipIntake.Failure.notNow("the preview is the same as what was sent")
        }
        try await offPool { [library] () throws(LibraryError) in try library.films.keep(input, as: item.id) }
        let now = library.now()
        var preview = HubClip(
            id: clip, title: title, fileName: HubClip.fileName(of: "", title: title, made: now),
            contentType: "audio/mpeg", bytes: sound.bytes, sha256: sound.sha256,
            sound: HubSound(seconds: made.seconds, peaks: made.peaks), created: now, expires: nil, shared: false)
        preview.owner = item.owner
        let track = MadeTrack(
            milliseconds: made.facts.milliseconds,
            master: MadeFilm.File(name: .original, bytes: digest.bytes, sha256: digest.sha256), preview: preview,
            findings: try Self.text(made.facts))
        let isWanted: Bool
        do throws(UploadRefusal) {
            isWanted = try await library.finish(item.id, asTrack: track, quota: quota)
        } catch {
            switch error {
            case .library(let error): throw error
            case .overQuota(let limit, _):
                throw ClipIntake.Failure.refused("the track is more than is left of the \(limit) of this account")
            case .noRoom: throw ClipIntake.Failure.refused("the hub has no room left for the track")
            case .nothing, .elsewhere, .notAsAnnounced, .taken, .tooMany: isWanted = false
            }
        }
        if !isWanted { await offPool { [library] in library.films.remove(item.id) } }
    }

    /// What goes wrong goes the way of everything that is sent.
    private static func make(
        _ tracks: TrackMaking, _ order: TrackMaking.Order
    ) async throws(ClipIntake.Failure) -> TrackMaking.Made {
        do throws(TrackMaking.Failure) { return try await tracks.make(order) } catch {
            switch error {
            case .refused(let why): throw .refused(why)
            case .died: throw .died
            case .notNow(let why): throw .notNow(why)
            case .unable(let why): throw .unable(why)
            }
        }
    }

    private static func text(_ facts: TrackFacts) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(facts), as: UTF8.self)
    }
}
