internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
package import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird
internal import NIOCore

/// What a frame's screen asks of the hub. Each address looks for the frame's token itself; nothing else opens it.
package struct FrameRoutes: Sendable {
    let desk: FrameDesk

    package init(desk: FrameDesk) { self.desk = desk }

    private static let base = FrameDesk.base
    private static let mostPhoto = 10_000_000

    package var routes: [WebRoute] {
        [
            FramePage(desk: desk).route, FramePage(desk: desk).back, FramePage(desk: desk).backFromServer, state, start,
            pairing, friends, FrameFaces(desk: desk).route, change, photo,
            newPhoto, noPhoto,
            updates, clip, FrameSpeaking(desk: desk).route, FrameStream(desk: desk).route, seen, end, count,
            FrameAnswers(desk: desk).route,
        ] + FrameLinkRoutes(desk: desk).routes + FrameCareRoutes(desk: desk).routes
    }

    private var state: WebRoute {
        .api(.get, Self.base, .everybody, scope: .open, summary: "The frame that was begun in this browser") {
            request, _ in
            try await told(try await desk.frame(request))
        }
    }

    private var start: WebRoute {
        .api(
            .post, "\(Self.base)/start", .everybody, scope: FrameDesk.joining,
            summary: "Begins a frame with a network, and says where to sign in",
            takes: [
                .text("network", "hub, mastodon or x"), .text("server", isRequired: false, "of Mastodon"),
                .flag("answers", "where to allow answering, for a frame that shows somebody"),
            ]
        ) { request, context in
            let fields = try await request.fields()
            if fields.bool("answers") ?? false {
                let frame = try await desk.frame(request)
                try await desk.limits.allow("frame-signin", FrameDesk.Rule.starts, by: .network(context.network))
                let location = try await FrameAnswerDoor(networks: desk.elsewhere, desk: desk).begin(frame)
                return .json { json in json.field("location", location) }
            }
            guard let network = FrameDevice.Network(rawValue: fields["network"] ?? "") else {
                throw Problem(
                    .unprocessableContent, "invalid", "Something that was sent cannot be taken",
                    fields: ["network": "hub, mastodon or x"])
            }
            let (frame, token) = try await desk.begin(request, context)
            let location = try await FrameStart(desk: desk).begin(
                frame, network, server: fields["server"] ?? "", context)
            return desk.carrying(token, .json { json in if let location { json.field("location", location) } })
        }
    }

    private var pairing: WebRoute {
        .api(
            .post, "\(Self.base)/pairing", .everybody, scope: .open,
            summary: "A code by which somebody with an account here takes care of this frame"
        ) { request, context in
            let (frame, token) = try await desk.begin(request, context)
            try await desk.limits.allow("frame-code", FrameDesk.Rule.starts, by: .device(frame))
            var change = HubLibrary.FrameChange()
            change.isSilent = true
            // Somebody may have begun with a network and turned round.
            change.step = .network
            if frame.account == nil { try await desk.library.change(frame.id, change) }
            let code = FrameCode()
            try await desk.library.keepFrameKey(desk.seal.digest(ofCode: code.text), .code, frame: frame.id)
            let expires = desk.library.now().addingTimeInterval(HubLibrary.FrameKeyKind.code.seconds)
            return desk.carrying(
                token,
                .json { json in
                    json.field("code", code.shown)
                    json.field("address", "\(desk.links.publicURL)/settings/frames")
                    json.field("expires", expires)
                })
        }
    }

    private var friends: WebRoute {
        .api(
            .get, "\(Self.base)/friends", .everybody, scope: .open,
            summary: "The people whom the frame's account follows, alphabetically",
            query: [.text("after", isRequired: false)]
        ) { request, _ in
            let frame = try await desk.frame(request)
            let page = try await desk.friends(of: frame, after: request.query("after"))
            var json = JSONText()
            page.write(&json)
            return .json(json)
        }
    }

    private var change: WebRoute {
        .api(
            .put, Self.base, .everybody, scope: "write:frames", summary: "Chooses whom the frame shows, and how",
            takes: [.text("vip", isRequired: false, "the id of a friend")]
        ) { request, context in
            let fields = try await request.fields()
            // Not before the body has come, which may take long.
            let frame = try await desk.frame(request)
            // What only reads does not give itself the right to speak: that is for whoever cares for the frame.
            let isCaretaker = context.person.map { $0.id == frame.account?.rawValue } ?? false
            return try await told(try await desk.change(frame, fields, maySpeak: isCaretaker))
        }
    }

    private var photo: WebRoute {
        .api(
            .get, "\(Self.base)/photo", .everybody, scope: .open, summary: "The photo of the frame",
            givesType: "image/jpeg"
        ) {
            request, _ in
            let frame = try await desk.frame(request)
            var found = try await desk.library.photo(of: frame.id)
            if found == nil, frame.network == .hub, let account = frame.account, let vip = frame.vip {
                found = try await desk.library.seen(by: .member(account)).portrait(of: vip)
            }
            guard let found else { throw Problem(.notFound, "not-found", "There is no photo yet") }
            let validators = Validators(sha256: found.sha256, modified: found.created)
            var headers: HTTPFields = [.eTag: validators.entityTag, .cacheControl: "private, no-cache"]
            if validators.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
            headers[.contentType] = "image/jpeg"
            return Response(
                status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: found.jpeg)))
        }
    }

    private var newPhoto: WebRoute {
        .api(
            .put, "\(Self.base)/photo", .everybody, scope: .open, body: .upload(upTo: Self.mostPhoto),
            summary: "Gives the frame another photo"
        ) { request, context in
            let frame = try await desk.frame(request)
            try await desk.limits.allow("frame-photo", FrameDesk.Rule.photos, by: .device(frame))
            let photo = try await context.receive(request, upTo: Self.mostPhoto)
            guard let pictures = desk.pictures else {
                throw Problem(.unprocessableContent, "not-accepted", "This hub takes no pictures")
            }
            let jpeg: [UInt8]
            do { jpeg = try await photo.withBytes(pictures) } catch let error as FrameDesk.Refusal {
                throw Problem(
                    .unprocessableContent, "not-accepted", "That picture cannot be used", detail: error.reason)
            }
            return try await told(try await desk.library.setPhoto(of: frame.id, to: jpeg))
        }
    }

    private var noPhoto: WebRoute {
        .api(.delete, "\(Self.base)/photo", .everybody, scope: .open, summary: "Goes back to the person's own picture")
        {
            request, _ in
            let frame = try await desk.frame(request)
            let changed = try await desk.library.setPhoto(of: frame.id, to: nil)
            return try await told(changed)
        }
    }

    private var updates: WebRoute {
        .api(
            .get, "\(Self.base)/updates", .everybody, scope: .open, summary: "The newest updates, oldest first",
            query: [.number("limit", "1 to 50")]
        ) { request, _ in
            let frame = try await desk.settled(try await desk.frame(request))
            let limit = try request.number("limit", in: 1...50) ?? 50
            let found = try await desk.library.newestUpdates(of: frame, limit: limit)
            let documents = found.compactMap { desk.document($0, of: frame) }
            return .json { json in
                json.field("updates") { json in
                    json.array(documents) { $1.write(&$0, prefix: desk.links.prefix) }
                }
            }
        }
    }

    private var clip: WebRoute {
        .api(
            .get, "\(Self.base)/clips/:id", .everybody, scope: .open, summary: "The sound of an update",
            givesType: "audio/mpeg"
        ) { request, context in
            let frame = try await desk.frame(request)
            guard let id = context.parameters.get("id")?.safeInteger,
                let update = try await desk.library.update(id, of: frame)
            else { throw Problem(.notFound, "not-found", "There is no such update") }
            guard let post = update.post else {
                return try await desk.elsewhere.sound(of: update, on: frame, request, desk)
            }
            guard let clip = post.clip else { throw Problem(.notFound, "not-found", "This update has no sound") }
            return Response(
                status: .temporaryRedirect,
                headers: [.location: "\(desk.links.prefix)/media/\(clip.id).mp3", .cacheControl: "no-store"])
        }
    }

    private var seen: WebRoute {
        .api(
            .post, "\(Self.base)/seen", .everybody, scope: .open, summary: "Everything up to an update was shown",
            takes: [.number("id", isRequired: true)], gives: 204
        ) { request, _ in
            let fields = try await request.fields()
            let frame = try await desk.frame(request)
            guard let id = fields["id"]?.safeInteger else {
                throw Problem(
                    .unprocessableContent, "invalid", "Something that was sent cannot be taken",
                    fields: ["id": "the number of an update"])
            }
            try await desk.library.frame(frame.id, hasShown: id)
            return .empty
        }
    }

    private var end: WebRoute {
        .api(
            .delete, Self.base, .everybody, scope: .open,
            summary: "Signs the frame out: nothing of it is left, nor of who was signed in there", gives: 204
        ) {
            request, context in
            guard let token = desk.token(request), try await desk.frame(of: token) != nil else {
                // It has ended elsewhere; its page lets the token go by itself, which is no press of a button.
                return Response.empty.setting(desk.cookie, to: "", seconds: 0)
            }
            try await desk.end(try await desk.frame(request), why: nil)
            var response = try await desk.leave(request, context)
            response.headers[.clearSiteData] = "\"cache\", \"storage\""
            return response
        }
    }

    private var count: WebRoute {
        .api(
            .post, "\(Self.base)/count", .everybody, scope: .open,
            summary: "Counts a screen, an error or a press, without a person",
            takes: [
                .text("screen", isRequired: false), .text("error", isRequired: false),
                .text("press", isRequired: false),
            ], gives: 204
        ) { request, context in
            try await desk.limits.allow("frame-count", FrameDesk.Rule.counts, by: .network(context.network))
            let fields = try await request.fields()
            for kind in ["screen", "error", "press"] {
                guard let name = fields[kind] else { continue }
                guard let mark = UsageMark(rawValue: "\(kind).frame.\(name)") else {
                    throw Problem(
                        .unprocessableContent, "invalid", "Something that was sent cannot be taken",
                        fields: [kind: "is none that is counted"])
                }
                desk.usage.count(mark)
            }
            return .empty
        }
    }

    private func told(_ frame: FrameDevice?) async throws -> Response {
        guard let frame else { throw FrameDesk.noFrame(nil) }
        var json = JSONText()
        try await desk.document(frame).write(&json)
        return .json(json)
    }
}

extension Response {
    /// Sound that was made here, whole or in part.
    static func sound(_ mp3: [UInt8], to request: Request) -> Response {
        var headers: HTTPFields = [
            .contentType: "audio/mpeg", .acceptRanges: "bytes", .cacheControl: "private, max-age=300",
        ]
        switch ByteRange(request.headers[.range], size: Int64(mp3.count)) {
        case .whole:
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: mp3)))
        case .part(let part):
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(mp3.count)"
            let piece = mp3[Int(part.lowerBound)..<Int(part.upperBound)]
            return Response(
                status: .partialContent, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: piece)))
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(mp3.count)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }
}

extension Request {
    /// What stands behind the question mark under a name; nil when nothing does.
    func query(_ name: String) -> String? {
        uri.queryParameters[name[...]].map { PercentEncoding.decode(String($0)) }
    }
}
