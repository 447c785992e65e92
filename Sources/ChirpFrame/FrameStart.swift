internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// How a frame comes to its network.
struct FrameStart: Sendable {
    let desk: FrameDesk

    /// Begins with a network.
    ///
    /// - Returns: where somebody signs in, in the same window; nil when nobody has to.
    /// - Throws: 403 `unconfirmed` for whoever is signed in and has not confirmed the mail address.
    func begin(
        _ frame: FrameDevice, _ network: FrameDevice.Network, server: String, _ context: WebContext
    ) async throws -> String? {
        guard context.person?.isConfirmed ?? true else { throw Problem.unconfirmed }
        guard network == .hub else {
            try await desk.limits.allow("frame-signin", FrameDesk.Rule.starts, by: .network(context.network))
            if let person = context.person, frame.account == nil {
                // Whoever is signed in here looks after it from afar.
                let account = AccountID(rawValue: person.id)
                var change = HubLibrary.FrameChange()
                change.account = account
                change.shown = context.shown
                change.isSilent = true
                guard try await desk.library.change(frame.id, change) != nil else { throw FrameDesk.noRoom }
            }
            return try await desk.elsewhere.begin(frame, network, server: server, desk)
        }
        if let person = context.person {
            try await join(frame, AccountID(rawValue: person.id), context)
            return nil
        }
        var change = HubLibrary.FrameChange()
        change.network = .hub
        change.step = .network
        try await desk.library.change(frame.id, change)
        try await desk.library.keepFrameKey(Self.wait(frame), .signin, frame: frame.id, detail: "hub")
        return "\(desk.links.prefix)/signin?to=/frame"
    }

    /// Comes back to the page: whoever has signed in for the frame cares for it from now on. That session ends at once, since a frame
    /// reads and does nothing else.
    ///
    /// - Returns: the session that has ended.
    func arrive(_ frame: FrameDevice, _ context: WebContext) async throws -> OpaqueToken? {
        guard frame.step == .network, frame.network == .hub, let person = context.person, person.isConfirmed,
            try await desk.library.useFrameKey(Self.wait(frame), .signin, frame: frame.id) != nil
        else { return nil }
        try await join(frame, AccountID(rawValue: person.id), context)
        guard let session = context.session.flatMap({ OpaqueToken(shown: $0) }) else { return nil }
        try await desk.accounts.signOut(session)
        return session
    }

    private func join(_ frame: FrameDevice, _ account: AccountID, _ context: WebContext) async throws {
        var change = HubLibrary.FrameChange()
        change.account = account
        change.shown = context.shown
        change.network = .hub
        change.step = .friends
        change.vip = .some(nil)
        change.sealed = .some(nil)
        change.tokens = .some(nil)
        change.why = .some(nil)
        change.cursor = .some(nil)
        change.forgetsUpdates = true
        guard try await desk.library.change(frame.id, change) != nil else { throw FrameDesk.noRoom }
        // A sign-in elsewhere that the frame had before is over.
        await desk.elsewhere.forget(frame, desk)
    }

    /// No secret: it counts only together with the frame's token.
    private static func wait(_ frame: FrameDevice) -> [UInt8] { Array("hub:\(frame.id)".utf8) }
}

extension WebContext {
    /// What was shown of who asks.
    var shown: ShownCredential? { ShownCredential(session: session, token: token) }
}

extension FrameDesk {
    /// An account takes no frame more; or the frame has ended meanwhile, which its next request says.
    static var noRoom: Problem {
        Problem(.unprocessableContent, "not-accepted", "The account has as many frames as it may")
    }

    /// An answer that leaves nothing of anybody in the browser: a screen that is signed out is given away, or hangs where others pass. Its
    /// token was checked, with the proof that the request comes from this server's page.
    ///
    /// Each cookie is taken back by its name: `Clear-Site-Data: "cookies"` would take those of the neighbouring hosts of the domain too.
    func leave(_ request: Request, _ context: WebContext) async throws -> Response {
        let response = Response.empty.setting(cookie, to: "", seconds: 0)
        if let shown = context.session.flatMap({ OpaqueToken(shown: $0) }) { try await accounts.signOut(shown) }
        return ([session] + traces).filter { $0.value(in: request) != nil }
            .reduce(response) { $0.setting($1, to: "", seconds: 0) }
    }

    /// Ends a frame, its sign-in at another network included.
    func end(_ frame: FrameDevice, why: FrameEnd?) async throws {
        try await library.endFrame(frame.id, why: why)
        spoken.forget(frame.id)
        await elsewhere.forget(frame, self)
    }

    /// Changes whom a frame shows, and how.
    ///
    /// - Parameter maySpeak: whether answering may be switched on.
    func change(_ frame: FrameDevice, _ fields: RequestFields, maySpeak: Bool) async throws -> FrameDevice? {
        var change = HubLibrary.FrameChange()
        let (style, wrongStyle) = FrameFields.style(fields, from: frame.style)
        let (crop, wrongCrop) = FrameFields.crop(fields, from: frame.crop)
        let wrong = wrongStyle + wrongCrop
        guard wrong.isEmpty else {
            throw Problem(
                .unprocessableContent, "invalid", "Something that was sent cannot be taken",
                fields: Dictionary(wrong.map { ($0, "out of range") }) { first, _ in first })
        }
        if style.answers, !frame.style.answers, !maySpeak {
            throw Problem(
                .forbidden, "read-only", "A frame only reads",
                detail: "Whoever cares for it switches answering on in the settings")
        }
        if style != frame.style { change.style = style }
        if crop != frame.crop { change.crop = crop }
        var changed: FrameDevice? = frame
        if change.style != nil || change.crop != nil { changed = try await library.change(frame.id, change) }
        guard let changed, let vip = fields["vip"], !vip.isEmpty else { return changed }
        let watching =
            changed.network == .hub
            ? try await library.watch(AccountID(rawValue: vip), on: changed)
            : try await elsewhere.watch(vip, on: changed, self)
        guard let watching else {
            throw Problem(
                .unprocessableContent, "invalid", "Something that was sent cannot be taken",
                fields: ["vip": "the id of somebody whom the account follows"])
        }
        return watching
    }
}

/// Style and crop as programs and forms send them: `style[stay]`, `crop[x]`.
enum FrameFields {
    static func style(_ fields: RequestFields, from old: FrameStyle) -> (FrameStyle, wrong: [String]) {
        var style = old
        var wrong: [String] = []
        func put<T>(_ name: String, _ path: WritableKeyPath<FrameStyle, T>, _ read: (String) -> T?) {
            guard let text = fields["style[\(name)]"] else { return }
            if let value = read(text) { style[keyPath: path] = value } else { wrong.append(name) }
        }
        func number(_ name: String, _ path: WritableKeyPath<FrameStyle, Int>) {
            put(name, path) { $0.integer(in: .min ... .max) }
        }
        func flag(_ name: String, _ path: WritableKeyPath<FrameStyle, Bool>) {
            if let value = fields.bool("style[\(name)]") { style[keyPath: path] = value }
        }
        number("fadeIn", \.fadeIn)
        number("stay", \.stay)
        number("fadeOut", \.fadeOut)
        number("gap", \.gap)
        put("rate", \.rate) { $0.decimal(in: -1000...1000) }
        put("dimFrom", \.dimFrom) { $0 }
        put("dimTo", \.dimTo) { $0 }
        put("quietFrom", \.quietFrom) { $0 }
        put("quietTo", \.quietTo) { $0 }
        flag("takeYourTime", \.takeYourTime)
        flag("dims", \.dims)
        flag("spoken", \.spoken)
        flag("answers", \.answers)
        return (style, wrong + style.mistakes)
    }

    static func crop(_ fields: RequestFields, from old: FrameCrop) -> (FrameCrop, wrong: [String]) {
        var crop = old
        var wrong: [String] = []
        for (name, path) in [("x", \FrameCrop.x), ("y", \.y), ("zoom", \.zoom)]
            as [(String, WritableKeyPath<FrameCrop, Double>)]
        {
            guard let text = fields["crop[\(name)]"] else { continue }
            if let value = text.decimal(in: -1000...1000) { crop[keyPath: path] = value } else { wrong.append(name) }
        }
        return (crop, wrong + crop.mistakes)
    }
}
