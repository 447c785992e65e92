internal import ChirpAccounts
package import ChirpBoards
package import ChirpCommunity
internal import ChirpMusic
internal import FoundationEssentials
internal import GRDB

/// Brings attempts on as their media come in: what was received whole is checked, what is ready is listened to, and then waits for people; what cannot
/// be used is refused with the reason. Each step is one transaction and may be repeated, so that a process that dies leaves it to the next one.
package struct AttemptMediaWork: Sendable {
    private let store: AttemptStore
    /// Nil: nobody listens here, and nothing is found.
    private let hearing: BoardHearing?

    /// After so many deaths of what listens nobody listens any more: people do.
    private static let mostDeaths = 2
    /// Why an attempt was refused, as it is kept: in English, like what is written down of films. Its author reads this one in her language.
    static let late = "what shows it came when the time to hand in was over"
    private static let unusable = "it cannot be read"
    private static let silent = "it has no sound, and the rule needs some"
    private static let pictureless = "it has no pictures, and the rule needs some"
    private static let atOnce = 100

    package init(_ store: AttemptStore, hearing: BoardHearing?) {
        self.store = store
        self.hearing = hearing
    }

    /// Does what can be done now.
    ///
    /// - Returns: how many attempts have changed their state.
    @discardableResult
    package func run(_ pace: Pace) async throws -> Int {
        var (count, last) = (0, Int64(0))
        while true {
            let found = try await pending(after: last)
            for attempt in found {
                try Task.checkCancellation()
                if try await pace.piece({ try await bringOn(attempt.id) }) { count += 1 }
            }
            guard found.count == Self.atOnce, let end = found.last?.sequence else { return count }
            last = end
        }
    }

    private func pending(after last: Int64) async throws -> [(id: HubID, sequence: Int64)] {
        try await store.library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id, sequence FROM attempts INDEXED BY attemptsReceiving
                        WHERE state = 'receiving' AND sequence > :last
                            AND EXISTS (SELECT 1 FROM attemptMedia WHERE attempt = attempts.sequence)
                        UNION ALL SELECT id, sequence FROM attempts INDEXED BY attemptsChecking
                        WHERE state = 'checking' AND sequence > :last
                            AND EXISTS (SELECT 1 FROM attemptMedia WHERE attempt = attempts.sequence)
                        ORDER BY sequence LIMIT \(Self.atOnce)
                        """), arguments: ["last": last]
            ).compactMap { row in HubID(row["id"] as String).map { ($0, row["sequence"]) } }
        }
    }

    /// As it stands, and what is to be done next.
    private enum Next: Sendable {
        case rest
        /// When the film was here; nil: nobody has written that down.
        case arrive(AccountID, Date?)
        case listen(path: String?, SoundFindings.Question)
        case pass
        case refuse(String)
    }

    /// One as far as it can be brought. What others have changed meanwhile is left to them.
    ///
    /// - Returns: whether it has changed its state.
    package func bringOn(_ id: HubID) async throws -> Bool {
        var hasChanged = false
        while true {
            do throws(AttemptRefusal) {
                switch try await next(id) {
                case .rest: return hasChanged
                case .arrive(let author, let received):
                    do { try await store.arrive(id, by: author, at: received) } catch {
                        guard case .over = error else { throw error }
                        try await store.refuse(id, reason: Self.late)
                    }
                case .listen(let path, let question):
                    guard let found = try await findings(path, question, of: id) else { return hasChanged }
                    try await store.check(id, findings: try Self.text(AttemptFindings(sound: found)))
                case .pass: try await store.check(id, findings: "{}")
                case .refuse(let why): try await store.refuse(id, reason: why)
                }
            } catch {
                switch error {
                // Taken back, or another process was faster.
                case .state, .notFound: return hasChanged
                default: throw error
                }
            }
            hasChanged = true
        }
    }

    private func next(_ id: HubID) async throws(AttemptRefusal) -> Next {
        do { return try await store.library.reading { try next(id, in: $0) } } catch { throw AttemptRefusal(error) }
    }

    private func next(_ id: HubID, in database: Database) throws -> Next {
        let (films, media) = (store.library.films, store.library.media)
        let row = try AttemptStanding(id, in: database)
        let wanted = RuleTerms.Evidence.set(
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT media FROM attempts WHERE sequence = ?"),
                arguments: [row.sequence]) ?? "")
        let recording = try AttemptRecording(of: row.sequence, in: database)
        guard row.state == .receiving || row.state == .checking, wanted.isSubset(of: recording.kinds(for: wanted))
        else {
            return .rest
        }
        let film = try recording.film.flatMap { try Films.film($0, in: database) }
        if let film, film.state == .refused { return .refuse(film.why ?? Self.unusable) }
        if row.state == .receiving {
            return film?.state == .receiving ? .rest : .arrive(row.account, film?.received)
        }
        guard film.map({ $0.state == .ready }) ?? true else { return .rest }
        if let film, wanted.contains(.sound), recording.clip == nil, film.facts?.hasSound != true {
            return .refuse(Self.silent)
        }
        if let film, row.terms.needs.contains(.video), film.facts?.hasPictures != true {
            return .refuse(Self.pictureless)
        }
        let asked = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT code, counted FROM attemptHearings WHERE attempt = ?"),
            arguments: [row.sequence])
        let code = (asked?["code"] as String?).flatMap { AttemptCode($0) }
        let kind = (asked?["counted"] as String?).flatMap { EventCount.Kind(rawValue: $0) }
        guard film != nil || recording.clip != nil,
            let question = SoundFindings.Question(code: code, counting: kind)
        else { return .pass }
        if let film {
            return .listen(path: film.facts?.hasSound == true ? films.file(film.id, .sound) : nil, question)
        }
        return .listen(path: recording.clip.map { media.file($0) }, question)
    }

    /// - Returns: nil when it may go better later.
    private func findings(
        _ path: String?, _ question: SoundFindings.Question, of id: HubID
    ) async throws(AttemptRefusal) -> SoundFindings? {
        guard let path else { return SoundFindings(.noSound) }
        guard let hearing else { return SoundFindings(.unheard) }
        while !Task.isCancelled {
            do throws(BoardHearing.Failure) { return try await hearing.find(path, question) } catch {
                guard case .died = error else { return nil }
                if try await countDeath(over: id) >= Self.mostDeaths { return SoundFindings(.unheard) }
            }
        }
        return nil
    }

    private func countDeath(over id: HubID) async throws(AttemptRefusal) -> Int {
        try await store.change { database in
            try Int.fetchOne(
                database.cachedStatement(
                    sql: """
                        UPDATE attemptHearings SET deaths = deaths + 1
                        WHERE attempt = (SELECT sequence FROM attempts WHERE id = ?) RETURNING deaths
                        """), arguments: [id.text]) ?? Self.mostDeaths
        }
    }

    private static func text(_ findings: AttemptFindings) throws(AttemptRefusal) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do { return String(decoding: try encoder.encode(findings), as: UTF8.self) } catch {
            throw AttemptRefusal(error)
        }
    }
}

extension Attempt {
    /// What a machine has found; empty where it has found nothing, or what a later release has written.
    package var machineFindings: AttemptFindings {
        (try? JSONDecoder().decode(AttemptFindings.self, from: Data(findings.utf8))) ?? AttemptFindings()
    }
}
