package import Hummingbird

extension RouterMethods where Context == WebContext {
    /// Adds routes with their guards: forgery before rights, rights before the act.
    ///
    /// - Parameters:
    ///   - bodies: where what is sent goes while it comes.
    ///   - signIn: where visitors are sent who open a page that is not for them.
    package func add(
        _ routes: [WebRoute], forgery: ForgeryCheck, bodies: BodyStore,
        signIn: @escaping @Sendable (Request) -> Response
    ) {
        for route in routes {
            on(RouterPath(route.path), method: route.method) { request, context in
                var (request, context) = (request, context)
                context.bodies = bodies
                // Its holder's for as long as the request is worked on: what was read is still in the handler's hands.
                let isStranger = context.person == nil
                let lease =
                    route.body.isInMemory ? bodies.memory.lease(for: context.holder, isStranger: isStranger) : nil
                if let lease {
                    request = BodyStore.counted(
                        request, lease, until: route.body.patience.map { ContinuousClock.now + $0 })
                }
                defer { withExtendedLifetime(lease) {} }
                switch route.audience {
                case .people: return try await route.answerPeople(request, context, forgery, signIn)
                case .programs(let scope): return try await route.answerPrograms(request, context, forgery, scope)
                }
            }
        }
    }
}

extension Problem {
    /// What is not for people who have not confirmed their mail address.
    package static let unconfirmed = Problem(.forbidden, "unconfirmed", "The mail address was not confirmed")
}

extension WebRoute {
    fileprivate func answerPeople(
        _ request: Request, _ context: WebContext, _ forgery: ForgeryCheck, _ signIn: @Sendable (Request) -> Response
    ) async throws -> Response {
        var context = context
        // A token is for programs: pages are for who signed in.
        if context.scopes != nil { context.person = nil }
        if case .files(let files, _) = body {
            guard access.lets(context.person) else {
                throw HTTPError(context.person == nil ? .unauthorized : .forbidden)
            }
            guard let bodies = context.bodies else { throw HTTPError(.internalServerError) }
            context.fileForm = try await forgery.checkedFiles(request, context, files, into: bodies)
        } else if method != .get {
            context.form = try await forgery.checked(request, context)
        }
        guard access.lets(context.person) else {
            if context.person == nil, method == .get { return signIn(request) }
            throw HTTPError(context.person == nil ? .unauthorized : .forbidden)
        }
        return try await answer(request, context)
    }

    fileprivate func answerPrograms(
        _ request: Request, _ context: WebContext, _ forgery: ForgeryCheck, _ scope: TokenRule
    ) async throws -> Response {
        var context = context
        if scope == .open {
            context.person = nil
        } else if let scopes = context.scopes {
            context.person = try person(context, scopes, scope)
        } else if context.person != nil, method != .get, !forgery.hasProof(request) {
            // A session alone proves nothing: another site's page may have had the browser send it.
            context.person = nil
        }
        guard access.lets(context.person) else {
            guard context.person != nil else {
                throw Problem(.unauthorized, "signed-out", "The access token is invalid")
            }
            if access == .confirmed { throw Problem.unconfirmed }
            throw Problem(.forbidden, "not-allowed", "This action is not allowed")
        }
        return try await answer(request, context)
    }

    /// Whom a token speaks for here. Without the scopes that is nobody, and without those of moderation a member.
    private func person(_ context: WebContext, _ scopes: Scopes, _ rule: TokenRule) throws -> Person? {
        guard rule.names.allSatisfy(scopes.allow) else {
            guard access != .everybody else { return nil }
            throw Problem(
                .forbidden, "scope", "This action is outside the authorized scopes",
                detail: rule.names.joined(separator: " "), bearer: .insufficientScope(rule.names))
        }
        guard let person = context.person else { return nil }
        let mayModerate = scopes.allow(method == .get ? "read:moderation" : "write:moderation")
        return mayModerate ? person : person.asMember
    }
}
