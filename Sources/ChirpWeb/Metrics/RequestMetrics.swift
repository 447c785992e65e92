package import Hummingbird
internal import Synchronization

/// What is asked for, as far as counting goes. No address of a person or a clip is in it.
package enum RequestClass: String, Hashable, Sendable, CaseIterable {
    case home, clip, profile, embed, media, asset, feed, events, api, signIn = "signin", account, otherPage = "other"

    init(_ path: String) {
        let parts = path.split(separator: "/", maxSplits: 3)
        self =
            switch parts.first.map(String.init) ?? "" {
            case "": .home
            case "c": .clip
            case "embed": .embed
            case "media": .media
            case "assets": .asset
            case "feed.xml", "feed.json": .feed
            case "signin": .signIn
            case "signup", "signout", "confirm", "reset", "settings": .account
            case "api": path.contains("/streaming") || path.hasSuffix("/events") ? .events : .api
            case "oauth": .api
            case let name where name.hasPrefix("@"): parts.last?.hasPrefix("feed.") == true ? .feed : .profile
            default: .otherPage
            }
    }
}

/// Counts requests by class and status, and how long answers took to begin.
package final class RequestMetrics: Sendable {
    /// The ends of the ranges into which times fall, in seconds.
    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

    private struct Times {
        var counts = [Int](repeating: 0, count: RequestMetrics.bounds.count)
        var all = 0
        var sum = 0.0
    }

    private struct Answer: Hashable {
        let what: RequestClass
        let status: Int
    }

    private struct State {
        var answers: [Answer: Int] = [:]
        var times: [RequestClass: Times] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    func count(_ what: RequestClass, _ status: Int, _ time: Duration) {
        let seconds = time / .seconds(1)
        state.withLock { state in
            state.answers[Answer(what: what, status: status), default: 0] += 1
            var times = state.times[what] ?? Times()
            times.all += 1
            times.sum += seconds
            if let first = Self.bounds.firstIndex(where: { seconds <= $0 }) { times.counts[first] += 1 }
            state.times[what] = times
        }
    }

    /// How many forms of signing in were not accepted.
    private func failures(_ answers: [Answer: Int]) -> Int {
        answers.filter { $0.key.what == .signIn && $0.key.status >= 400 }.reduce(0) { $0 + $1.value }
    }

    /// Adds them to a page of metrics.
    package func write(to page: inout MetricsPage) {
        let state = state.withLock { $0 }
        page.begin("chirp_http_requests_total", .counter, "Requests that were answered, by what was asked for.")
        for (answer, count) in state.answers.sorted(by: {
            ($0.key.what.rawValue, $0.key.status) < ($1.key.what.rawValue, $1.key.status)
        }) {
            page.add(["class": answer.what.rawValue, "status": "\(answer.status)"], Double(count))
        }
        page.begin("chirp_http_response_seconds", .histogram, "Time until an answer began.")
        for (what, times) in state.times.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            var sum = 0
            for (bound, count) in zip(Self.bounds, times.counts) {
                sum += count
                page.add(["class": what.rawValue, "le": "\(bound)"], Double(sum), suffix: "_bucket")
            }
            page.add(["class": what.rawValue, "le": "+Inf"], Double(times.all), suffix: "_bucket")
            page.add(["class": what.rawValue], times.sum, suffix: "_sum")
            page.add(["class": what.rawValue], Double(times.all), suffix: "_count")
        }
        page.begin("chirp_signin_failures_total", .counter, "Forms of signing in that were not accepted.")
        page.add([:], Double(failures(state.answers)))
    }
}

/// Counts every request, whatever answers it.
package struct CountsRequests: RouterMiddleware {
    private let metrics: RequestMetrics
    private let onAnswer: @Sendable (RequestClass, Request, HTTPResponse.Status) -> Void

    /// - Parameter onAnswer: hears of every answer too; must not wait.
    package init(
        _ metrics: RequestMetrics,
        onAnswer: @escaping @Sendable (RequestClass, Request, HTTPResponse.Status) -> Void
    ) {
        self.metrics = metrics
        self.onAnswer = onAnswer
    }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let what = RequestClass(request.uri.path)
        metrics.count(what, response.status.code, ContinuousClock.now - start)
        onAnswer(what, request, response.status)
        return response
    }
}
