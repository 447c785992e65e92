internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// Of what a person wants to be told, and how: for each kind on the page, by mail, both or neither.
struct NoticeSettingsRoutes {
    let desk: AccountDesk
    let library: HubLibrary

    private static let path = "/settings/notices"

    var routes: [WebRoute] {
        [
            .get(Self.path, .signedIn) { request, context in
                let account = try await desk.account(context)
                let choices = try await library.noticeChoices(of: account.id)
                let isSaved = !request.query("saved").isEmpty
                return desk.forgery.page(request) { token in
                    let page = NoticeSettingsPage(
                        kinds: library.noticeKinds, choices: choices, hasMail: account.mail != nil, isSaved: isSaved,
                        token: token,
                        prefix: desk.prefix)
                    return .page(page.html).uncached
                }
            },
            .post(Self.path, .signedIn) { _, context, form in
                let account = try await desk.account(context)
                var choices: [Notice.Kind: NoticeChoice] = [:]
                for kind in library.noticeKinds {
                    choices[kind] = NoticeChoice(
                        onPage: !form[kind.field(.page)].isEmpty, byMail: !form[kind.field(.mail)].isEmpty,
                        byPush: !form[kind.field(.push)].isEmpty)
                }
                try await library.choose(choices, of: account.id)
                return desk.goOn(to: "\(Self.path)?saved=1")
            },
        ]
    }
}

extension Notice.Kind {
    fileprivate enum Way: String { case page, mail, push }

    /// What the check box is called in the form.
    fileprivate func field(_ way: Way) -> String { "\(name)-\(way.rawValue)" }

    private var name: String {
        switch self {
        case .mention: "mention"
        case .follow: "follow"
        case .favourite: "favourite"
        case .moderation: "moderation"
        case .claim, .match, .alert, .ending, .listing, .comment, .record, .verified, .rejected, .event, .bid, .request,
            .connection, .cardsTaken, .cardsRefused:
            rawValue
        }
    }

    fileprivate var words: String {
        switch self {
        case .mention: word("choices.mention")
        case .follow: word("choices.follow")
        case .favourite: word("choices.favourite")
        case .moderation: word("choices.moderation")
        case .claim: word("choices.claim")
        case .match: word("choices.match")
        case .alert: word("choices.alert")
        case .ending: word("choices.ending")
        case .listing: word("choices.listing")
        case .comment: word("choices.comment")
        case .record: word("choices.record")
        case .verified: word("choices.verified")
        case .rejected: word("choices.rejected")
        case .event: word("choices.event")
        case .bid: word("choices.bid")
        case .request: word("choices.request")
        case .connection: word("choices.connection")
        case .cardsTaken: word("choices.cards-taken")
        case .cardsRefused: word("choices.cards-refused")
        }
    }
}

private struct NoticeSettingsPage {
    let kinds: [Notice.Kind]
    let choices: [Notice.Kind: NoticeChoice]
    let hasMail: Bool
    let isSaved: Bool
    let token: String
    let prefix: String

    var html: HTML {
        Layout(prefix: prefix).page(
            title: "\(word("choices.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(word("choices.title"))</h1>
                <p role="status">\(isSaved ? word("choices.saved") : "")</p><p role="alert"></p>
                <p>\(word("choices.lead"))</p>\(hasMail ? .nothing : "\n<p>\(word("choices.no-mail"))</p>")
                <form method="post" action="\(prefix)/settings/notices">
                <input type="hidden" name="token" value="\(token)">
                \(HTML(joining: kinds.map(fields), separator: "\n"))
                <p><button class="main">\(word("account.save"))</button></p></form>
                <p><a href="\(prefix)/settings/push">\(word("choices.push-way"))</a></p>
                <p><a href="\(prefix)/notices">\(word("choices.read"))</a></p>
                \(FormPage.wayBack(prefix))</div>
                """)
    }

    private func fields(_ kind: Notice.Kind) -> HTML {
        let choice = choices[kind] ?? .usual(kind)
        return """
            <fieldset><legend>\(kind.words)</legend>
            \(box(kind.field(.page), word("choices.on-page"), choice.onPage))
            \(box(kind.field(.mail), word("choices.by-mail"), choice.byMail))
            \(box(kind.field(.push), word("choices.by-push"), choice.byPush))</fieldset>
            """
    }

    private func box(_ name: String, _ label: String, _ isTicked: Bool) -> HTML {
        let checked: HTML = isTicked ? " checked" : .nothing
        return """
            <p class="choice"><label for="\(name)"><input id="\(name)" name="\(name)" type="checkbox" \
            value="on"\(checked)> \(label)</label></p>
            """
    }
}
