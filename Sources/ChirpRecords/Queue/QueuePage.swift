internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials

/// What waits for somebody's verdict, the oldest first.
struct QueuePage {
    let waiting: [Waiting]
    /// In seconds: how long decisions have taken of late.
    let times: (median: Double, most: Double)?
    let now: Date
    let token: String?
    let links: HubLinks

    var html: HTML {
        let told: HTML = times.map { "<p>\(AttemptPage.told($0))</p>" } ?? .nothing
        return RecordLayout(links: links, token: token).page(
            title: word("queue.title"), head: RecordLayout.unlisted,
            body: "<h1>\(word("queue.title"))</h1><p>\(word("queue.lead"))</p>\(told)\(list)")
    }

    private var list: HTML {
        guard !waiting.isEmpty else { return "<p class=\"empty\">\(word("queue.none"))</p>" }
        return "<ol class=\"attempt-queue\" role=\"list\">\(HTML(joining: waiting.map(item), separator: "\n"))</ol>"
    }

    private func item(_ one: Waiting) -> HTML {
        let attempt = one.attempt
        let who: HTML =
            attempt.person.map { "<bdi>\($0.name)</bdi>" } ?? "\(word("attempt.somebody"))"
        let since: HTML =
            attempt.received.map {
                "<p class=\"byline\">\(word("queue.since", ["time": Wording.spoken(max(0, now.timeIntervalSince($0)))]))</p>"
            } ?? .nothing
        let appeal: HTML = attempt.appeal == nil ? .nothing : "<p>\(word("queue.appeal"))</p>"
        return """
            <li><h2><a href="\(links.prefix)\(attempt.path)">\(HTML.word("attempt.heading", ["score": "\(one.rule.terms.said(attempt.score))", "who": who]))</a></h2>
            <p dir="auto">\(one.challenge.item.title)</p>\(since)\(appeal)</li>
            """
    }
}
