internal import ChirpCommunity
internal import ChirpPlaces
internal import ChirpWeb

/// An attempt as programs read it. Nothing in it is more than its page shows the same asker.
struct AttemptDocument {
    let sight: AttemptSight
    let links: HubLinks

    func write(_ json: inout JSONText) {
        let attempt = sight.attempt
        json.field("id", attempt.id.text)
        json.field("url", "\(links.publicURL)\(attempt.path)")
        json.field("challenge", attempt.challenge.text)
        json.field("version", attempt.version)
        json.field("state", attempt.state.rawValue)
        json.field("by", attempt.person?.handle)
        json.field("own", attempt.isOwn)
        json.field("score", sight.terms.text(attempt.score))
        json.field("exactScore", Int(attempt.score))
        json.field("text", attempt.text)
        json.field("media") { json in
            json.array(RuleTerms.Evidence.allCases.filter(attempt.media.contains)) { $0.value($1.rawValue) }
        }
        json.field("done", attempt.done)
        json.field("received", attempt.received)
        json.field("decided", attempt.decided)
        json.field("place", attempt.place?.name)
        json.field("latitude", seconds: attempt.place?.shown.latitude)
        json.field("longitude", seconds: attempt.place?.shown.longitude)
        json.field("findings") { $0.value(json: attempt.findings) }
        json.field("reasons") { json in json.array(sight.reasons) { $0.value($1) } }
        json.field("appeal", attempt.appeal)
        json.field("questions") { json in
            json.array(sight.questions) { json, question in
                json.object { json in
                    json.field("number", Int(question.sequence))
                    json.field("text", question.text)
                    json.field("at", question.at)
                    json.field("answer", question.answer.isEmpty ? nil : question.answer)
                    json.field("own", question.isOwn)
                }
            }
        }
        switch sight.judging {
        case .may(let standing)?: json.field("mayDecideAs", standing.rawValue)
        case .refused(.involved(let tie))?: json.field("involved", tie.rawValue)
        case .refused?, nil: break
        }
    }
}
