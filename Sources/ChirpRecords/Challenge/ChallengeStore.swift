package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import ChirpPlaces
internal import FoundationEssentials
package import GRDB

/// Challenges in the library.
package struct ChallengeStore: Sendable {
    package let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// Sets one, once for its author and key; then that one is given again.
    package func create(
        _ draft: ChallengeDraft, _ terms: RuleTerms, by account: AccountID, key: String
    ) async throws(ChallengeRefusal) -> HubID {
        try await change { try create(draft, terms, by: account, key: key, in: $0) }
    }

    /// The same within a transaction; for whoever has many.
    @discardableResult
    package func create(
        _ draft: ChallengeDraft, _ terms: RuleTerms, by account: AccountID, key: String, in database: Database
    ) throws -> HubID {
        let now = library.now()
        try Self.check(draft.faults(terms.place).merging(terms.faults(at: now)) { first, _ in first })
        // A key that is also one of another board's entry is a key of its own.
        let item = draft.item(of: account, key: "\(Records.board):\(key)", terms)
        let id = try Items.create(item, by: library, in: database)
        // Of one that is there already there is a rule.
        if try Rule.newest(of: id, in: database) == nil {
            try terms.cleaned.write(of: id, version: 1, setter: account, at: now, in: database)
        }
        return id
    }

    /// Puts other words, pictures or another place in those of an open one's; its setter does, and moderators. A place that attempts have to
    /// be done at stays, once somebody has tried.
    ///
    /// - Parameter version: of the item, as it was seen; nil: whichever there is.
    package func edit(
        _ id: HubID, version: Int?, to draft: ChallengeDraft, by account: AccountID
    ) async throws(ChallengeRefusal) {
        try await change { [library] database in
            let challenge = try managed(id, account, in: database).challenge
            let terms = challenge.rule.terms
            try Self.check(draft.faults(terms.place))
            if terms.place == .here, draft.point != challenge.item.place?.exact,
                try Rule.attempts(at: id, in: database) > 0
            {
                throw ChallengeRefusal.fields([.place: .attempted])
            }
            try Items.edit(
                id, version: version, to: draft.item(of: challenge.item.author.id, key: "", terms), by: library,
                in: database)
        }
    }

    /// Another rule in the place of one's own, as long as nobody has tried the challenge; by a moderator at any time. It is a new version:
    /// what was tried by an earlier one is judged by that, and its records stay its own.
    ///
    /// - Parameter version: of the rule, as it was seen.
    /// - Returns: the number of the new one.
    @discardableResult
    package func change(
        _ id: HubID, version: Int, to terms: RuleTerms, by account: AccountID
    ) async throws(ChallengeRefusal) -> Int {
        try await change { database in
            let now = library.now()
            let standing = try AccountStanding(of: account, at: Accounts.milliseconds(now), in: database)
            guard let standing, standing.isActive else { throw ItemRefusal.noAccount }
            let challenge = try challenge(id, for: account, in: database)
            guard challenge.item.author.id == account || standing.isModerator else {
                throw ChallengeRefusal.notAllowed
            }
            guard challenge.item.state == .open else { throw ItemRefusal.state(challenge.item.state) }
            guard !challenge.item.isFrozen else { throw ItemRefusal.frozen }
            let attempts = try Rule.attempts(at: id, in: database)
            guard attempts == 0 || standing.isModerator else { throw ChallengeRefusal.attempted }
            guard challenge.rule.version == version else {
                throw ChallengeRefusal.changed(version: challenge.rule.version)
            }
            var faults = terms.faults(at: now)
            if terms.place == .here, challenge.item.place?.precision != .exact {
                faults[.place] = challenge.item.place == nil ? .missing : .notExact
            }
            try Self.check(faults)
            try terms.cleaned.write(
                of: id, version: version + 1, setter: challenge.item.author.id, at: now, in: database)
            try Items.reword(id, terms.words, expires: terms.event?.closing, in: database)
            return version + 1
        }
    }

    /// Takes one back that nobody else has tried: then it is gone for everybody else.
    package func withdraw(_ id: HubID, reason: String, by account: AccountID) async throws(ChallengeRefusal) {
        try await change { [library] database in
            let challenge = try own(id, account, in: database)
            guard try Rule.attempts(at: id, butOf: account, in: database) == 0 else { throw ChallengeRefusal.attempted }
            try Items.move(
                challenge.id, from: [.open, .draft], to: .withdrawn, reason: PlainText.lines(reason, limit: 500),
                by: account, library: library, in: database)
        }
    }

    /// What a viewer finds at a challenge's address; nil: there never was one.
    package func challenge(_ id: HubID, for viewer: Viewer) async throws -> ChallengeSight? {
        switch try await library.seen(by: viewer).item(id, board: Records.board) {
        case nil: return nil
        case .gone(let state, let since): return .gone(state, since: since)
        case .item(let item): return try await whole([item]).first.map { .challenge($0) }
        }
    }

    /// Challenges as a viewer sees them, in the order of the ids; those that are not seen are left out.
    package func challenges(_ ids: [HubID], for viewer: Viewer) async throws -> [Challenge] {
        let library = library
        let items = try await library.reading { database in
            try ids.compactMap { try Items.item($0, board: Records.board, for: viewer, library: library, in: database) }
        }
        return try await whole(items)
    }

    /// A page of what a query finds, as a viewer sees it.
    package func challenges(
        _ query: ItemQuery, for viewer: Viewer
    ) async throws -> (found: [Challenge], next: String?, isCut: Bool) {
        let page = try await library.seen(by: viewer).items(query)
        return (try await whole(page.items), page.next, page.isCut)
    }

    /// All versions of a challenge's rule that the viewer sees, the newest first.
    package func rules(of id: HubID, for viewer: Viewer) async throws -> [Rule] {
        let library = library
        return try await library.reading { database in
            guard try Items.item(id, board: Records.board, for: viewer, library: library, in: database) != nil else {
                return []
            }
            return try Rule.all(of: [id], in: database)[id] ?? []
        }
    }

    /// With the rules as they stand.
    func whole(_ items: [Item]) async throws -> [Challenge] {
        guard !items.isEmpty else { return [] }
        return try await library.reading { database in
            let rules = try Rule.all(of: items.map(\.id), in: database)
            return items.compactMap { item in rules[item.id]?.first.map { Challenge(item: item, rule: $0) } }
        }
    }

    /// What somebody sees, whatever state it is in.
    func challenge(_ id: HubID, for account: AccountID, in database: Database) throws -> Challenge {
        let item = try Items.item(id, board: Records.board, for: .member(account), library: library, in: database)
        guard let item, let rule = try Rule.newest(of: id, in: database) else { throw ItemRefusal.notFound }
        return Challenge(item: item, rule: rule)
    }

    private func own(_ id: HubID, _ account: AccountID, in database: Database) throws -> Challenge {
        let challenge = try challenge(id, for: account, in: database)
        guard challenge.item.author.id == account else { throw ItemRefusal.notFound }
        return challenge
    }

    /// One's own, or any for moderators.
    func managed(
        _ id: HubID, _ account: AccountID, in database: Database
    ) throws -> (challenge: Challenge, isOwn: Bool) {
        let challenge = try challenge(id, for: account, in: database)
        if challenge.item.author.id == account { return (challenge, true) }
        let now = Accounts.milliseconds(library.now())
        guard try AccountStanding(of: account, at: now, in: database)?.isModerator == true else {
            throw ItemRefusal.notFound
        }
        return (challenge, false)
    }

    private static func check(_ faults: [ChallengeField: ChallengeFault]) throws {
        guard faults.isEmpty else { throw ChallengeRefusal.fields(faults) }
    }

    func change<T: Sendable>(
        _ body: @Sendable (Database) throws -> T
    ) async throws(ChallengeRefusal) -> T {
        do { return try await library.transact(body) } catch { throw ChallengeRefusal(error) }
    }
}
