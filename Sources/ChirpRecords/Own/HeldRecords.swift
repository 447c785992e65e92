internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials

/// An own attempt with the challenge that it is at.
struct OwnAttempt {
    let attempt: Attempt
    /// Nil for one that is not seen any more.
    let challenge: Challenge?
    let terms: RuleTerms?

    func html(_ links: HubLinks) -> HTML {
        let score = terms?.said(attempt.score) ?? "\(attempt.score)"
        let title: HTML = challenge.map { "<bdi>\($0.item.title)</bdi>" } ?? "\(word("challenge.someone"))"
        return """
            <li><a href="\(links.prefix)\(attempt.path)"><b>\(score)</b> · \(title)</a> <span class="byline">\
            <span class="challenge-attempt-\(attempt.state.rawValue)">\(attempt.state.name)</span> · \
            \(Wording.time(attempt.received ?? attempt.done))</span></li>
            """
    }
}

/// One's own attempts as programs read them.
struct OwnAttemptsDocument: Encodable {
    struct Entry: Encodable {
        let id, url, challenge: String
        let title: String?
        let score, state: String
        let version: Int
        let done: Date
        let received, decided: Date?
    }

    let attempts: [Entry]
    /// For `before`; none at the end.
    let next: Int64?

    init(_ found: [OwnAttempt], limit: Int, links: HubLinks) {
        attempts = found.map { own in
            let attempt = own.attempt
            return Entry(
                id: attempt.id.text, url: "\(links.publicURL)\(attempt.path)", challenge: attempt.challenge.text,
                title: own.challenge?.item.title, score: own.terms?.text(attempt.score) ?? "\(attempt.score)",
                state: attempt.state.rawValue, version: attempt.version, done: attempt.done,
                received: attempt.received, decided: attempt.decided)
        }
        next = found.count == limit ? found.last?.attempt.sequence : nil
    }
}

/// Where a list goes on, as it stands in an address.
enum PercentEncodedCursor {
    static func text(_ next: String?) -> String { PercentEncoding.form([("after", next ?? "")]) }
}

/// Records that somebody holds or has held, each at its challenge.
struct HeldRecords {
    private let spans: [RecordSpan]
    private let titles: [HubID: String]
    private let links: HubLinks

    init(_ spans: [RecordSpan], for viewer: Viewer, _ desk: RecordDesk) async throws {
        self.spans = spans
        links = desk.links
        let challenges = try await desk.challenges.challenges(Array(Set(spans.map(\.challenge))), for: viewer)
        titles = Dictionary(challenges.map { ($0.id, $0.item.title) }) { first, _ in first }
    }

    var isEmpty: Bool { spans.isEmpty }

    /// - Parameters:
    ///   - isNow: those that are held still, or else the others.
    ///   - limit: the newest of them.
    func html(isNow: Bool, limit: Int = 500) -> HTML {
        let rows = spans.filter { ($0.until == nil) == isNow }.prefix(limit).map(row)
        guard !rows.isEmpty else {
            return "<p class=\"empty\">\(isNow ? word("challenge.held.none") : word("challenge.held.never"))</p>"
        }
        return "<ul class=\"challenge-attempts\" role=\"list\">\(HTML(joining: Array(rows), separator: "\n"))</ul>"
    }

    private func row(_ span: RecordSpan) -> HTML {
        let area: HTML =
            span.name.isEmpty
            ? "\(span.hold.area.level.name)" : "\(span.hold.area.level.name): <bdi>\(span.name)</bdi>"
        return """
            <li><a href="\(links.prefix)\(RecordDesk.path)/\(span.challenge.text)"><b>\(span.terms.said(span.score))</b> · \
            <bdi>\(titles[span.challenge] ?? "")</bdi></a> <span class="byline">\(area) · \
            \(RecordWording.days(span.days)) · \(Wording.time(span.from))</span></li>
            """
    }
}

extension RecordDesk {
    /// What records somebody holds, on her profile, and the way to her history (OU-6).
    func profile(of person: PostAuthor, for viewer: Viewer) async throws -> HTML {
        let spans = try await holds.records(of: person.id, isNow: false, for: viewer, limit: 50)
        guard !spans.isEmpty else { return .nothing }
        let held = try await HeldRecords(spans, for: viewer, self)
        return """
            <section aria-labelledby="records"><h2 class="section" id="records">\(word("challenge.held.now"))</h2>
            \(held.html(isNow: true, limit: 5))
            <p><a href="\(prefix)\(Self.path)/by/\(person.handle)">\(word("challenge.held.all"))</a></p></section>
            """
    }
}
