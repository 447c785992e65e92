internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import HTTPTypes

/// Hands attempts in: what was typed, what was recorded, and the code that it was recorded with.
struct HandIn {
    let desk: RecordDesk

    private var board: BoardDesk { desk.desk }
    var codes: TryCodes { TryCodes(library: board.library) }

    /// The largest recording and picture that come with a form, in bytes. The script sends larger ones in parts.
    static let mostFileBytes = 25 << 20
    static let mostPictureBytes = 20 << 20
    static let mostFormBytes = 48 << 20

    static let files = [
        FileForm.Files("file", mostBytes: mostFileBytes),
        FileForm.Files("picture", mostBytes: mostPictureBytes),
    ]

    /// How often somebody sends files by a form.
    private static let rule = RateRule(60, per: 3600)

    /// Takes one in, once for its author and key.
    ///
    /// - Parameter faults: what was wrong with files already.
    /// - Throws: ``AttemptProblem``.
    func take(
        _ form: HandInForm, at challenge: Challenge, by account: AccountID, faults: [AttemptField: String] = [:]
    ) async throws -> HubID {
        let terms = challenge.rule.terms
        func refused(_ refusal: AttemptRefusal, _ others: [AttemptField: String] = [:]) -> AttemptProblem {
            AttemptProblem(refusal: refusal, terms: terms, others: others)
        }
        let now = board.library.now()
        var (draft, wrong) = try await form.read(by: terms, at: now, in: board.gazetteer)
        wrong.merge(faults) { typed, _ in typed }
        if !wrong.isEmpty {
            throw refused(.fields(draft.faults(by: terms, here: challenge.item.place?.shown, at: now)), wrong)
        }
        let attempt: HubID
        do throws(AttemptRefusal) {
            attempt = try await desk.attempts.begin(draft, at: challenge.id, by: account, key: "try:\(form.key)")
        } catch {
            throw refused(error)
        }
        // The code counts that it was given, whatever the form says; one that is over is none.
        if let code = form.code { try await codes.use(code, for: attempt, by: account) }
        if !draft.media.isEmpty {
            let code = try await codes.code(of: attempt)?.code
            do throws(AttemptRefusal) {
                try await desk.attempts.attach(form.recording, code: code, to: attempt, by: account)
            } catch {
                // Another try to hand in the same was faster, and what it sent is looked at already.
                guard case .state(let state) = error, state != .receiving else { throw refused(error) }
            }
            await desk.errand.arise()
        }
        return attempt
    }

    /// Adds a form's files to what was typed.
    ///
    /// - Returns: what was wrong with them.
    func add(
        _ sent: FileForm, to form: inout HandInForm, title: String, of account: AccountID
    ) async throws -> [AttemptField: String] {
        do {
            if let file = sent.files("picture").first {
                guard let take = board.takePicture else { throw Unusable(word("attempt.fault.no-pictures")) }
                try await pace(account)
                form.picture = try await taking { try await take(file, account) }
            }
            guard let file = sent.files("file").first else { return [:] }
            try await pace(account)
            if let take = board.takeFilm {
                // Sound alone too: it is judged as it was recorded.
                form.film = try await taking { try await take(file, account) }
            } else if Self.isFilm(try file.prefix(12)) {
                throw Unusable(word("attempt.fault.no-films"))
            } else {
                guard let take = board.takeClip else { throw Unusable(word("attempt.fault.no-sound")) }
                form.clip = try await taking { try await take(file, title, account) }
            }
            return [:]
        } catch let unusable as Unusable {
            return [.media: unusable.why]
        }
    }

    private func pace(_ account: AccountID) async throws {
        try await board.consume("attempt-file", Self.rule, by: .account(account), told: word("attempt.refused.often"))
    }

    /// Why a file is of no use; a sentence without its full stop.
    private struct Unusable: Error {
        let why: String

        init(_ why: String) { self.why = why }
    }

    private func taking(_ work: () async throws -> HubID) async throws -> HubID {
        do { return try await work() } catch let problem as Problem where problem.status.kind == .clientError {
            throw Unusable(PlainText(problem.detail ?? problem.title, limit: 200).value)
        } catch let error as any Explained {
            throw Unusable(PlainText(error.whatHappened, limit: 200).value)
        }
    }

    /// By its first bytes: MP4 and QuickTime, Matroska and WebM. Whether it is one that can be read is found out where that does no harm.
    static func isFilm(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return true }
        guard bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return false }
        return !bytes[8..<11].elementsEqual("M4A".utf8)
    }
}
