internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird
internal import ServiceLifecycle

/// How much the hub is used: a page for its owner, and figures for programs that watch it.
struct UsageRoutes {
    let library: HubLibrary
    let links: HubLinks
    let book: UsageBook
    let limits: RateLimits
    let metrics = RequestMetrics()
    /// How many hear each stream.
    let listeners: @Sendable () -> [(stream: String, count: Int)]
    /// Opens `/metrics`; nil: there is none.
    let token: String?

    /// What one address may count; pages are silent when it is used up.
    static let rule = RateRule(600, per: 3600)

    /// Counts what is asked for.
    var counting: CountsRequests {
        CountsRequests(metrics) { [book] what, request, status in
            if let kind = Self.kind(what, request, status) { book.count(kind) }
        }
    }

    private static func kind(_ what: RequestClass, _ request: Request, _ status: HTTPResponse.Status) -> UsageBook.Kind?
    {
        if request.method == .post, request.uri.path == "/confirm", status.code < 400 { return .signUp }
        guard request.method == .get, status == .ok || status == .partialContent else { return nil }
        switch what {
        case .home: return .home
        case .clip, .embed: return .clip
        case .profile: return .profile
        case .otherPage, .signIn, .account: return .otherPage
        // A player asks for the rest piece by piece; it begins once.
        case .media: return request.headers[.range].map { $0.hasPrefix("bytes=0-") } ?? true ? .play : nil
        case .asset, .feed, .events, .api: return nil
        }
    }

    var routes: [WebRoute] {
        [
            .get("/moderation/usage", .owner) { _, _ in
                // What the last minute brought is shown too.
                try await book.write()
                return Response.page(page(try await book.hours(limit: 24 * 14))).uncached
            },
            .api(
                .post, "/api/hub/v1/count", .everybody, scope: .open, body: .upTo(1 << 10),
                summary:
                    "Counts what a page has shown or was pressed on it, by a name of a fixed list and without a person",
                takes: [.text("name")], gives: 204
            ) { request, context in
                try await limits.consume("count", Self.rule, by: .network(context.network))
                guard let mark = UsageMark(rawValue: try await request.fields(upTo: 1 << 10)["name"] ?? "") else {
                    throw Problem(
                        .unprocessableContent, "invalid", "Something that was sent cannot be taken",
                        fields: ["name": "is none that is counted"])
                }
                book.count(mark)
                return Response(status: .noContent, headers: [.cacheControl: "no-store"])
            },
        ]
    }

    /// Adds what programs read. They show a token and have no session.
    func add(to router: Router<WebContext>) {
        guard let token else { return }
        router.get("/metrics") { request, _ in
            guard let shown = request.headers[.authorization], Self.isSame(shown, "Bearer \(token)") else {
                throw HTTPError(.unauthorized)
            }
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: try await figures())))
        }
    }

    /// In a time that says nothing of where they differ.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func figures() async throws -> String {
        let (totals, backlog) = (try await library.totals(), try await library.backlog())
        var page = MetricsPage()
        metrics.write(to: &page)
        page.begin("chirp_event_listeners", .gauge, "Open event streams.")
        for (stream, count) in listeners() { page.add(["stream": stream], Double(count)) }
        page.begin("chirp_posts", .gauge, "Posts in the library.")
        page.add([:], Double(totals.posts))
        page.begin("chirp_clips", .gauge, "Clips in the library.")
        page.add([:], Double(totals.clips))
        page.begin("chirp_store_bytes", .gauge, "Bytes of all clips.")
        page.add([:], Double(totals.bytes))
        page.begin("chirp_uploads", .gauge, "What members have sent and is remembered, by how far it is.")
        for state in MediaItem.State.allCases {
            page.add(["state": state.rawValue], Double(backlog.uploads[state] ?? 0))
        }
        page.begin("chirp_letters_waiting", .gauge, "Letters that wait to be sent.")
        page.add([:], Double(backlog.letters))
        return page.text
    }

    private func page(_ hours: [UsageBook.Hour]) -> HTML {
        let kinds = UsageBook.Kind.allCases
        let heads = kinds.map { kind -> HTML in "<th scope=\"col\">\(Self.name(of: kind))</th>" }
        let rows = hours.map { hour -> HTML in
            let cells = kinds.map { kind -> HTML in "<td>\(hour.counts[kind] ?? 0)</td>" }
            return "<tr><th scope=\"row\">\(Self.hour(hour.start))</th>\(HTML(joining: cells))</tr>"
        }
        return Layout(prefix: links.prefix).page(
            title: "\(word("usage.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <h1>\(word("usage.title"))</h1>
                <p>\(word("usage.lead"))</p>
                <div class="wide" tabindex="0" role="region" aria-label="\(word("usage.counts"))"><table><thead><tr>\
                <th scope="col">\(word("usage.hour"))</th>\
                \(HTML(joining: heads))</tr></thead><tbody>\(HTML(joining: rows))</tbody></table></div>
                \(marks(hours))
                """)
    }

    /// What pages have counted themselves; of two days of use, since each hour may have many lines.
    private func marks(_ hours: [UsageBook.Hour]) -> HTML {
        let rows = hours.prefix(48).flatMap { hour in
            UsageMark.allCases.compactMap { mark -> HTML? in
                guard let count = hour.marks[mark] else { return nil }
                return """
                    <tr><th scope="row">\(Self.hour(hour.start))</th><td>\(mark.words)</td><td>\(count)</td></tr>
                    """
            }
        }
        guard !rows.isEmpty else { return .nothing }
        return """
            <h2>\(word("usage.pages"))</h2>
            <p>\(word("usage.pages.lead"))</p>
            <div class="wide" tabindex="0" role="region" aria-label="\(word("usage.pages.counts"))"><table><thead><tr>\
            <th scope="col">\(word("usage.hour"))</th><th scope="col">\(word("usage.what"))</th>\
            <th scope="col">\(word("usage.number"))</th></tr></thead><tbody>\(HTML(joining: rows))</tbody></table></div>
            """
    }

    private static func hour(_ date: Date) -> String {
        String(InstantText.iso(date).prefix(13)).replacing("T", with: " ") + ":00"
    }

    private static func name(of kind: UsageBook.Kind) -> String {
        switch kind {
        case .home: word("usage.home")
        case .clip: word("usage.clip")
        case .profile: word("usage.profile")
        case .otherPage: word("usage.other")
        case .play: word("usage.play")
        case .publication: word("usage.publication")
        case .signUp: word("usage.sign-up")
        }
    }
}

/// Writes the counts each minute, and at the end.
struct UsageService: Service {
    let book: UsageBook
    let clock: any Clock<Duration>
    let onFailure: @Sendable (LibraryError) -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await clock.sleep(for: .seconds(60)) } catch { return }
                do throws(LibraryError) { try await book.write() } catch { onFailure(error) }
            }
        }
        do throws(LibraryError) { try book.writeNow() } catch { onFailure(error) }
    }
}
