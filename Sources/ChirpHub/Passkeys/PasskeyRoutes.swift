internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// The passkeys of a member, to add and to take away, and what a browser asks an authenticator with.
struct PasskeyRoutes {
    let desk: AccountDesk
    /// Nil where no browser makes passkeys: see ``PasskeyParty``.
    let party: PasskeyParty?

    static let path = "/settings/account/passkeys"
    /// How often an address asks for a challenge: each is a row for five minutes.
    private static let rule = RateRule(60, per: 15 * 60)
    private static let api = "/api/hub/v1"

    var routes: [WebRoute] {
        [
            .get(Self.path, .signedIn) { request, context in
                try await show(request, try await desk.account(context))
            },
            .post(Self.path, .confirmed) { request, context, form in try await add(request, context, form) },
            .post("\(Self.path)/removal", .signedIn) { request, context, form in
                let account = try await desk.account(context)
                do throws(AccountError) {
                    let accounts = try await desk.confirm(account, form, in: context)
                    try await accounts.removePasskey(form["id"], of: account.id)
                    await desk.postman.lettersWait()
                    return desk.goOn(to: "\(Self.path)?said=removed")
                } catch {
                    return try await show(request, account, problem: error)
                }
            },
            // By the pages' scripts alone: a challenge without a page leads to nothing.
            .api(
                .post, "\(Self.api)/passkeys/challenge", .everybody, scope: .open,
                summary: "What a browser asks an authenticator with for a sign-in, once within five minutes"
            ) { _, context in try await challenge(for: nil, context) },
            .api(
                .post, "\(Self.api)/account/passkeys/challenge", .confirmed, scope: "write:accounts",
                summary: "What a browser asks an authenticator with for a new passkey, once within five minutes"
            ) { _, context in try await challenge(for: try await desk.account(context), context) },
        ]
    }

    private struct ChallengeDocument: Encodable {
        let challenge, rp, user, handle: String
        let known: [String]
        let algorithms: [Int]
    }

    private func challenge(for account: HubAccount?, _ context: WebContext) async throws -> Response {
        guard let party else { throw HTTPError(.notFound) }
        try await desk.limits.consume("passkey", Self.rule, by: .network(context.network))
        let accounts = account == nil ? desk.accounts : try desk.accounts(of: context)
        let challenge = try await accounts.passkeyChallenge(for: account?.id)
        return try .json(
            ChallengeDocument(
                challenge: challenge.challenge.reveal(), rp: party.id, user: challenge.userHandle,
                handle: account?.handle.text ?? "", known: challenge.known, algorithms: challenge.algorithms)
        ).uncached
    }

    private func add(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let account = try await desk.account(context)
        do throws(AccountError) {
            let accounts = try await desk.confirm(account, form, in: context)
            guard let party, let challenge = OpaqueToken(shown: form["challenge"]),
                let answer = PasskeyAnswer.Registration(
                    clientData: form["client"], attestation: form["attestation"])
            else { throw .wrongCredentials }
            try await accounts.add(answer, challenge: challenge, name: form["name"], to: account.id, at: party)
            await desk.postman.lettersWait()
            return desk.goOn(to: "\(Self.path)?said=added")
        } catch {
            return try await show(request, account, problem: error)
        }
    }

    private func show(
        _ request: Request, _ account: HubAccount, problem: AccountError? = nil
    ) async throws -> Response {
        let entries = try await desk.accounts.passkeys(of: account.id)
        let status = problem.map { $0.problem?.status ?? .internalServerError } ?? .ok
        return desk.forgery.page(request) { token in
            let page = PasskeyPage(
                entries: entries, account: account, isOffered: party != nil && account.state == .active,
                said: request.query("said"), problem: problem, token: token, prefix: desk.prefix)
            return .page(page.html, status: status).uncached
        }
    }
}

/// A member's passkeys.
private struct PasskeyPage {
    let entries: [PasskeyEntry]
    let account: HubAccount
    let isOffered: Bool
    let said: String
    let problem: AccountError?
    let token: String
    let prefix: String

    var html: HTML {
        Layout(prefix: prefix).page(
            title: "\(word("passkey.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            script: isOffered ? PageScript(.passkey, words: ["passkey.here."], token: token) : nil,
            body: """
                <div class="form"><h1>\(word("passkey.title"))</h1>
                <p role="status">\(news)</p>
                <div role="alert" class="problem">\(problem.map { "<p>\($0.words).</p>" } ?? .nothing)</div>
                <p>\(word("passkey.lead"))</p>
                \(entries.isEmpty ? "<p>\(word("passkey.none"))</p>" : list)
                <h2>\(word("passkey.add"))</h2>
                \(isOffered ? addition : "<p>\(word("passkey.nowhere"))</p>")
                \(FormPage.wayBack(prefix))</div>
                """)
    }

    private var news: String {
        switch said {
        case "added": word("passkey.said-added")
        case "removed": word("passkey.said-removed")
        default: ""
        }
    }

    private var addition: HTML {
        """
        <noscript><p>\(word("passkey.script"))</p></noscript>
        <form method="post" action="\(prefix)\(PasskeyRoutes.path)" data-passkey="add">
        <input type="hidden" name="token" value="\(token)">
        <input type="hidden" name="challenge"><input type="hidden" name="client"><input type="hidden" name="attestation">
        <p class="field"><label for="name">\(word("passkey.name"))</label>
        <span class="hint" id="name-hint">\(word("passkey.name-hint"))</span>
        <input id="name" name="name" type="text" maxlength="60" autocomplete="off" aria-describedby="name-hint"></p>
        \(password("add"))
        <p><button class="main" disabled>\(word("passkey.add"))</button></p></form>
        """
    }

    private func password(_ id: String) -> HTML {
        guard account.hasPassword else { return .nothing }
        return """
            <p class="field"><label for="password-\(id)">\(word("account.password-now"))</label>
            <input id="password-\(id)" name="password" type="password" autocomplete="current-password" required></p>
            """
    }

    private var list: HTML { "<ul>\(HTML(joining: entries.map(item), separator: "\n"))</ul>" }

    private func item(_ entry: PasskeyEntry) -> HTML {
        let used: HTML =
            entry.used.map { HTML.word("passkey.used", ["when": Wording.time($0)]) }
            ?? "\(word("passkey.unused"))"
        return """
            <li><p><bdi>\(entry.name)</bdi>, \(HTML.word("passkey.since", ["when": Wording.time(entry.created)])), \(used)\
            \(entry.isSynced ? ", \(word("passkey.synced"))" : .nothing)</p>
            <form method="post" action="\(prefix)\(PasskeyRoutes.path)/removal">
            <input type="hidden" name="token" value="\(token)"><input type="hidden" name="id" value="\(entry.id)">
            \(password(entry.id))
            <p><button aria-label="\(word("passkey.remove-one", ["name": entry.name]))">\(word("passkey.remove"))</button></p></form></li>
            """
    }
}
