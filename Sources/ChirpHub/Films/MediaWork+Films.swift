package import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles

/// From a film that was received to the files that are shown of it.
extension MediaWork {
    /// Until it is ready or refused, or nobody wants it any more.
    package func takeInFilm(_ id: HubID) async { await repeating { await tryFilm(id) } }

    func tryFilm(_ id: HubID) async -> Duration? {
        let rest = await attempt(id) { [self] item in
            guard let film = try await library.film(id) else { return }
            try await prepare(film, item)
            endSetbacks(id)
        }
        if rest == nil { await endFilm(id) }
        return rest
    }

    /// Told once it will not be tried again.
    func endFilm(_ id: HubID) async {
        await onFilm()
        // What is refused leaves nothing; what nobody wants has no row.
        guard !Task.isCancelled, let film = try? await library.film(id), film.state == .refused else { return }
        await offPool { [library] in library.films.remove(id) }
    }

    private func prepare(_ film: HubFilm, _ item: MediaItem) async throws {
        guard let films else { throw ClipIntake.Failure.unable("this server takes no films in") }
        let input = library.uploads.file(item.id)
        let digest = try await digest(input)
        try await library.note(sha256: digest.sha256, of: item.id)
        guard item.wishes.sha256 ?? digest.sha256 == digest.sha256 else {
            throw ClipIntake.Failure.refused("it is not what was announced: its SHA-256 is another")
        }
        var goals: [HubFilm.File: String] = [:]
        for file in HubFilm.File.allCases where file != .original { goals[file] = library.films.file(item.id, file) }
        let order = FilmIntake.Order(
            input: input, name: item.wishes.fileName.isEmpty ? "video" : item.wishes.fileName, timer: film.timer,
            goals: goals)
        let facts = try await making(item.id) { try await films.make(order) }
        try await offPool { [library] () throws(LibraryError) in try library.films.keep(input, as: item.id) }
        var files = [MadeFilm.File(name: .original, bytes: digest.bytes, sha256: digest.sha256)]
        for (file, path) in goals where facts.has(file) {
            let digest = try await self.digest(path)
            files.append(MadeFilm.File(name: file, bytes: digest.bytes, sha256: digest.sha256))
        }
        let isWanted: Bool
        do throws(UploadRefusal) {
            isWanted = try await library.finish(item.id, as: MadeFilm(facts: facts, files: files), quota: quota)
        } catch {
            switch error {
            case .library(let error): throw error
            case .overQuota(let limit, _):
                throw ClipIntake.Failure.refused("the film is more than is left of the \(limit) of this account")
            case .noRoom: throw ClipIntake.Failure.refused("the hub has no room left for the film")
            case .nothing, .elsewhere, .notAsAnnounced, .taken, .tooMany: isWanted = false
            }
        }
        if !isWanted { await offPool { [library] in library.films.remove(item.id) } }
    }
}
