internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpNetworks
internal import ChirpWeb
internal import Hummingbird

/// What is done with drafts, for the routes: found, changed, published.
struct DraftDesk: Sendable {
    let library: HubLibrary
    let links: HubLinks
    let uploads: UploadDesk
    let limits: RateLimits
    /// What new accounts may post.
    let policy: PostingPolicy
    /// Sends the owner's publications on; nil where nobody does.
    let onward: OnwardWork?
    let clock: any Clock<Duration>

    /// How the hub counts share texts.
    static let rules = TextRules.characters(limit: ClientStatusRoutes.longest, perLink: ClientStatusRoutes.link)
    /// How long a publication waits for its clip.
    private static let patience = Duration.seconds(30)
    /// Each may keep a child busy; a newer one ends what an older one has begun.
    private static let changes = RateRule(1200, per: 3600)

    /// One of this person's, not published yet.
    ///
    /// - Throws: 404 for others' too.
    func draft(_ context: WebContext) async throws -> HubDraft {
        let draft = try await found(context)
        guard draft.published == nil else { throw Self.nothing }
        return draft
    }

    private func found(_ context: WebContext) async throws -> HubDraft {
        let account = try context.account
        guard let id = context.parameters.get("draft").flatMap({ HubID($0) }),
            let draft = try await library.draft(id), draft.owner == account
        else { throw Self.nothing }
        return draft
    }

    static let nothing = Problem(.notFound, "no-draft", "There is no such draft")

    /// Writes down what is said; another title or part makes the clip anew.
    func change(_ draft: HubDraft, _ fields: DraftFields) async throws -> HubDraft {
        let (wish, text) = (try fields.wish(for: draft), fields.text ?? draft.text)
        // Publishing what is ready costs one commit, not two.
        guard wish != draft.wish || text != draft.text else { return draft }
        try await limits.consume("draft", Self.changes, by: .account(draft.owner))
        let change = try await library.change(draft.id, of: draft.owner, to: wish, text: text)
        guard let change else { throw Self.nothing }
        if change.isNew { uploads.work.renew(draft.id, of: draft.owner) }
        return change.draft
    }

    /// What came of a publication.
    enum Answer {
        case published(HubDraft.Published)
        case making(HubDraft)
    }

    /// Publishes, once, whatever is repeated. Waits for the clip, which is ready before it is asked for in most cases.
    func publish(_ request: Request, _ context: WebContext) async throws -> Answer {
        var draft = try await found(context)
        if let published = draft.published { return .published(published) }
        guard draft.isReceived else { throw Self.receiving }
        let fields = try await DraftFields(request)
        let publication = try await publication(of: draft, fields, context)
        do { draft = try await change(draft, fields) } catch let problem as Problem {
            // Another request has published it meanwhile.
            guard let published = try await library.draft(draft.id)?.published else { throw problem }
            return .published(published)
        }
        let (library, uploads, policy, clock) = (library, uploads, policy, clock)
        let (id, owner) = (draft.id, draft.owner)
        @Sendable func attempt() async throws -> DraftOutcome {
            do throws(DraftRefusal) {
                return try await library.publish(id, of: owner, publication, under: policy, quota: uploads.quota)
            } catch {
                throw Self.problem(error)
            }
        }
        // Listening begins before the first look, so that nothing happens in between.
        let outcome = try await uploads.work.drafts.listening(to: id) { signals -> DraftOutcome in
            let first = try await attempt()
            guard case .making = first else { return first }
            return try await withThrowingTaskGroup(of: DraftOutcome?.self) { group in
                group.addTask {
                    for await _ in signals {
                        let outcome = try await attempt()
                        if case .published = outcome { return outcome }
                    }
                    return nil
                }
                group.addTask {
                    try await clock.sleep(for: Self.patience)
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next().flatMap { $0 } ?? first
            }
        }
        switch outcome {
        case .published(let published):
            onward?.wake()
            return .published(published)
        case .making(let draft): return .making(try await library.draft(draft.id) ?? draft)
        }
    }

    private func publication(
        of draft: HubDraft, _ fields: DraftFields, _ context: WebContext
    ) async throws -> DraftPublication {
        let (title, text) = (fields.title ?? draft.wish.title, fields.text ?? draft.text)
        let reader = library.seen(by: context.viewer)
        var words = text.isEmpty ? title : text
        if let recipient = fields.recipient {
            guard let person = try await reader.person(named: recipient) else { throw DraftFields.invalid("to") }
            if !PostText.mentions(in: words).contains(person.handle) { words = "@\(person.handle) \(words)" }
        }
        let share: @Sendable (HubID) -> ShareText = { [links, words] clip in
            ShareText(words: words, link: links.page(clip), rules: Self.rules)
        }
        // People's words are not cut without being asked.
        let said = share(draft.take)
        guard !said.isShortened, said.text.utf8.count <= 4 * Self.rules.limit else {
            throw Problem(
                .unprocessableContent, "too-long-text", "The words are too long",
                detail: "With link and tag a post has at most \(Self.rules.limit) characters")
        }
        var publication = DraftPublication { [links] clip in (share(clip).text, links.page(clip)) }
        publication.visibility = fields.visibility
        publication.language = fields.language
        publication.transcript = fields.transcript
        if let answers = fields.answers {
            guard let post = try await reader.post(named: answers) else { throw DraftFields.invalid("answers") }
            publication.replyTo = post.sequence
        }
        publication.onward = try await networks(fields, draft).map { DraftPublication.Onward($0, words: words) }
        return publication
    }

    /// Those on which it goes on: only the owner's sign-ins are on this machine, and only what everybody may hear leaves it.
    private func networks(_ fields: DraftFields, _ draft: HubDraft) async throws -> [OnwardPost.Network] {
        guard !fields.onward.isEmpty else { return [] }
        guard draft.owner == library.owner.id, let onward,
            fields.visibility == .published || fields.visibility == .unlisted
        else { throw DraftFields.invalid("onward") }
        let linked = Set(await onward.linked().map(\.network))
        return try Set(fields.onward).sorted().map { name in
            guard linked.contains(name), let network = OnwardPost.Network(rawValue: name) else {
                throw DraftFields.invalid("onward")
            }
            return network
        }
    }

    private static let receiving = Problem(
        .conflict, "still-receiving", "The recording is still being received", detail: "Publish it after its last byte")

    private static func problem(_ refusal: DraftRefusal) -> any Error {
        switch refusal {
        case .nothing: nothing
        case .receiving: receiving
        case .refused(let why): Problem(.unprocessableContent, "refused", "This cannot be used", detail: why)
        case .posting(.tooOften(let seconds)):
            Problem(
                .forbidden, "not-allowed", PostingRefusal.often, detail: "Try again in \(seconds) s",
                retryAfter: seconds)
        case .posting(let refusal): refusal.problem
        case .room(let refusal): UploadDesk.problem(refusal)
        case .library(let error): error
        }
    }
}
