internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// Takes in what comes with a form: the recording, and its cover.
struct TrackFiles {
    let desk: BeatDesk

    /// The largest cover, and the largest form with everything, in bytes; what is larger comes as an upload.
    static let mostCoverBytes = 20 << 20
    static let mostFormBytes = 96 << 20

    static let inForm = [
        FileForm.Files("track", mostBytes: mostFormBytes), FileForm.Files("cover", mostBytes: mostFormBytes),
    ]

    /// - Throws: ``TrackRefusal``; 429 as a ``Problem``.
    func cover(_ file: SentFile, _ context: WebContext) async throws -> HubID {
        guard let take = desk.desk.takePicture else { throw Self.refusal(.cover, .takenNowhere) }
        guard file.count <= Self.mostCoverBytes else {
            throw Self.refusal(.cover, .tooLarge(most: Int64(Self.mostCoverBytes)))
        }
        try await desk.consume("beat-file", BeatDesk.Rate.files, context)
        do { return try await take(file, try context.account) } catch {
            throw Self.refusal(.cover, .unusable(Self.reason(error, word("beat.fault.picture"))))
        }
    }

    private func track(_ file: SentFile, named name: String, _ context: WebContext) async throws -> HubID {
        guard let tracks = desk.desk.tracks else { throw Self.refusal(.track, .takenNowhere) }
        guard Int64(file.count) <= tracks.limits.mostBytes else {
            throw Self.refusal(.track, .tooLarge(most: tracks.limits.mostBytes))
        }
        try await desk.consume("beat-file", BeatDesk.Rate.files, context)
        do { return try await tracks.take(file, name, try context.account) } catch {
            throw Self.refusal(.track, .unusable(Self.reason(error, word("beat.fault.track"))))
        }
    }

    /// Adds a form's files to what was typed.
    ///
    /// - Returns: what was wrong with them.
    func add(_ sent: FileForm, to form: inout TrackForm, _ context: WebContext) async throws -> [TrackField: TrackFault]
    {
        var faults: [TrackField: TrackFault] = [:]
        if let file = sent.files("cover").first {
            do { form.cover = try await cover(file, context) } catch let refusal as TrackRefusal {
                faults.merge(refusal.faults) { first, _ in first }
            }
        }
        if let file = sent.files("track").first {
            let name = PlainText(form[.title], limit: TrackDraft.longestTitle).value
            do { form.master = try await track(file, named: name, context) } catch let refusal as TrackRefusal {
                faults.merge(refusal.faults) { first, _ in first }
            }
        }
        return faults
    }

    private static func refusal(_ field: TrackField, _ fault: TrackFault) -> TrackRefusal { .fields([field: fault]) }

    /// What may be told of why something was not taken.
    private static func reason(_ error: any Error, _ otherwise: String) -> String {
        switch error {
        case let problem as Problem: PlainText(problem.detail ?? problem.title, limit: 200).value
        case let error as any Explained: PlainText(error.whatHappened, limit: 200).value
        default: otherwise
        }
    }
}
