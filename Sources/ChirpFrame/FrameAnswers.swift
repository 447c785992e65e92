internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Speaking back from a frame: off until whoever cares for it has switched it on.
struct FrameAnswers: Sendable {
    let desk: FrameDesk

    private static let mostBytes = 10_000_000

    var route: WebRoute {
        .api(
            .post, "\(FrameDesk.base)/answer", .everybody, scope: .open, body: .upload(upTo: Self.mostBytes),
            summary: "Sends what was spoken to the person whom the frame shows", gives: 202
        ) { request, context in
            let frame = try await desk.frame(request)
            guard frame.style.answers, frame.step == .watch else {
                throw Problem(.forbidden, "read-only", "A frame only reads", detail: "Answering is not switched on")
            }
            let type = (request.headers[.contentType] ?? "").lowercased().prefix { $0 != ";" && $0 != " " }
            guard type == "audio/webm" || type == "audio/wav" || type == "audio/ogg" || type == "audio/mp4" else {
                throw Problem(.unsupportedMediaType, "media-type", "Sound is expected here")
            }
            try await desk.limits.allow("frame-answer", FrameDesk.Rule.answers, by: .device(frame))
            let sound = try await context.receive(request, upTo: Self.mostBytes)
            let id: String
            // A screen that has heard no answer sends the same again.
            let named =
                request.headers[.idempotencyKey].map { PlainText($0, limit: 100).value } ?? "\(RandomName(length: 16))"
            let key = "frame-\(frame.id)-\(named)"
            do {
                id =
                    frame.network == .hub
                    ? try await send(sound, key, from: frame) : try await sendElsewhere(sound, key, from: frame)
            } catch let error as FrameDesk.Refusal {
                throw Problem(
                    .unprocessableContent, "not-accepted", "What was spoken cannot be sent", detail: error.reason)
            }
            var json = JSONText()
            json.object { $0.field("id", id) }
            var response = Response.json(json)
            response.status = .accepted
            return response
        }
    }

    private static var takesNone: Problem {
        Problem(.unprocessableContent, "not-accepted", "This hub takes no sound in")
    }

    /// To another network goes a clip that this hub makes and does not keep.
    private func sendElsewhere(_ sound: SentFile, _ key: String, from frame: FrameDevice) async throws -> String {
        let door = FrameAnswerDoor(networks: desk.elsewhere, desk: desk)
        guard let clips = desk.clips else { throw Self.takesNone }
        return try await door.send(try await sound.withBytes(clips), key: key, from: frame)
    }

    private func send(_ sound: SentFile, _ key: String, from frame: FrameDevice) async throws -> String {
        guard let answers = desk.answers, let account = frame.account, let vip = frame.vip else {
            throw Self.takesNone
        }
        guard try await desk.accounts.account(account)?.state == .active else {
            throw Problem(.forbidden, "suspended", "The account of this frame may not post")
        }
        return try await sound.withBytes { try await answers($0, key, account, vip) }
    }
}
