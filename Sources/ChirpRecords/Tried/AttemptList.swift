internal import ChirpCommunity
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

/// Attempts at a challenge, one below the other, each with its state.
struct AttemptList {
    let attempts: [Attempt]
    /// The terms of each version of the rule.
    let rules: [Int: RuleTerms]
    let links: HubLinks

    var html: HTML {
        guard !attempts.isEmpty else { return "<p class=\"empty\">\(word("challenge.attempts.none"))</p>" }
        let rows = attempts.map { attempt -> HTML in
            let score = rules[attempt.version]?.said(attempt.score) ?? "\(attempt.score)"
            var facts: [HTML] = [
                "<bdi>\(attempt.person?.name ?? word("challenge.someone"))</bdi>",
                "<span class=\"challenge-attempt-\(attempt.state.rawValue)\">\(attempt.state.name)</span>",
                Wording.time(attempt.received ?? attempt.done),
            ]
            if let name = attempt.place?.name, !name.isEmpty { facts.append("<bdi>\(name)</bdi>") }
            if attempt.isOwn { facts.append("<b>\(word("challenge.attempts.own"))</b>") }
            return """
                <li><a href="\(links.prefix)\(attempt.path)"><b>\(score)</b></a> \
                <span class="byline">\(HTML(joining: facts, separator: " · "))</span></li>
                """
        }
        return "<ol class=\"challenge-attempts\" role=\"list\" data-feed>\(HTML(joining: rows, separator: "\n"))</ol>"
    }
}

/// Attempts as programs read them in a list.
struct AttemptListDocument: Encodable {
    struct Entry: Encodable {
        let id, url, score, state: String
        let version: Int
        let person: PersonDocument?
        let isOwn: Bool
        let text: String
        let done: Date
        let received, decided: Date?
        let media: [String]
        let place, town, country: String?
        let latitude, longitude: Double?
    }

    let attempts: [Entry]
    /// For `before`; none at the end.
    let next: Int64?

    init(_ attempts: [Attempt], _ rules: [Int: RuleTerms], limit: Int, links: HubLinks) {
        func told(_ name: String?) -> String? { name.flatMap { $0.isEmpty ? nil : $0 } }
        self.attempts = attempts.map { attempt in
            Entry(
                id: attempt.id.text, url: "\(links.publicURL)\(attempt.path)",
                score: rules[attempt.version]?.text(attempt.score) ?? "\(attempt.score)",
                state: attempt.state.rawValue, version: attempt.version,
                person: attempt.person.map { PersonDocument($0, links: links) }, isOwn: attempt.isOwn,
                text: attempt.text, done: attempt.done, received: attempt.received, decided: attempt.decided,
                media: attempt.media.map(\.rawValue).sorted(), place: told(attempt.place?.name),
                town: told(attempt.place?.townName), country: told(attempt.place?.countryName),
                latitude: attempt.place?.shown.latitude, longitude: attempt.place?.shown.longitude)
        }
        next = attempts.count == limit ? attempts.last?.sequence : nil
    }
}
