internal import ChirpCore

/// The servers' queue by its own interface, JSON on subjects below `$JS.API` (docs.nats.io, "NATS API Reference").
///
/// So a handful of the library's functions are enough, and options that came after the library was packaged can be used.
struct JetStream: Sendable {
    let connection: NatsHandle
    /// How long to go on asking while nobody answers, as during an election.
    let patience: Duration

    /// The queue's own words for a failure.
    struct Refusal: Decodable, Hashable {
        var code: Int
        var err_code: Int?
        var description: String?
    }

    private struct Answer<Content: Decodable>: Decodable {
        var error: Refusal?
        var content: Content?

        private enum Key: String, CodingKey { case error }

        init(from decoder: any Decoder) throws {
            error = try decoder.container(keyedBy: Key.self).decodeIfPresent(Refusal.self, forKey: .error)
            content = error == nil ? try Content(from: decoder) : nil
        }
    }

    /// An answer of which nothing is needed.
    struct Nothing: Decodable { init(from decoder: any Decoder) {} }

    /// How one request has ended.
    enum Reply<Content> {
        case done(Content)
        case refused(Refusal)
    }

    /// Asks until somebody answers. Requests are such that asking twice does no harm. Blocking.
    func ask<Content: Decodable>(
        _ name: String, _ body: some Encodable, for content: Content.Type
    ) throws(FleetError) -> Reply<Content> {
        let letter = NatsLetter(subject: "$JS.API.\(name)", payload: FleetJSON.encode(body))
        let end = ContinuousClock.now + patience
        while true {
            if Task.isCancelled { throw .cancelled }
            if let message = try connection.ask(letter, within: .seconds(2)) {
                guard let answer = FleetJSON.decode(Answer<Content>.self, from: message.payload) else {
                    throw .noQueue("it answered \(name) in an unknown way")
                }
                if let content = answer.content { return .done(content) }
                let refusal = answer.error ?? Refusal(code: 500)
                // 503 with 10008 or 10039: no leader at the moment.
                let isPassing = refusal.code == 503 && [10008, 10009, 10039].contains(refusal.err_code ?? 0)
                guard isPassing, ContinuousClock.now < end else { return .refused(refusal) }
            }
            guard ContinuousClock.now < end else { throw .noQueue("no answer to \(name) within \(patience)") }
            // Where nobody listens the answer comes at once.
            try Wait.nap(.milliseconds(200))
        }
    }

    /// The same where a refusal is a failure.
    func demand<Content: Decodable>(
        _ name: String, _ body: some Encodable, for content: Content.Type
    ) throws(FleetError) -> Content {
        switch try ask(name, body, for: content) {
        case .done(let content): return content
        case .refused(let refusal):
            throw .refused(code: refusal.err_code ?? refusal.code, reason: refusal.description ?? name)
        }
    }
}
