internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// A track as programs read it. Nothing in it is more than its page shows the same asker; what was sent has no address.
struct TrackDocument: Encodable {
    struct Person: Encodable { let handle, name, url: String }
    struct Picture: Encodable { let id, small, medium, large: String }
    struct Preview: Encodable {
        let id, url: String
        let seconds: Double?
    }
    struct Price: Encodable {
        let kind: String
        /// In the currency's smallest unit.
        let amount: Int64?
        let currency: String?
    }
    struct Tempo: Encodable {
        let beats: Double
        let other: Double?
        let confidence: Double
    }
    struct Key: Encodable {
        let key: Int
        let name: String
        let other: Int?
        let otherName: String?
        let confidence: Double
    }
    struct Facts: Encodable {
        let milliseconds: Int
        let loudness, peak, previewLoudness: Double?
        let tempo: Tempo?
        let key: Key?
    }

    let id, url, kind, title, text, work: String
    let versionName, language: String?
    let state, progress: String
    /// For its author: why what was sent cannot be used.
    let why: String?
    let outcome, reason: String?
    let version: Int
    let isHidden, isFrozen: Bool
    let author: Person
    let created, changed: Date
    let ended, expires: Date?
    let tags: [String]
    let price: Price
    let pictures: [Picture]
    let preview: Preview?
    let likes, saves, comments: Int
    let facts: Facts?

    init(_ track: Track, links: HubLinks) {
        let item = track.item
        id = item.id.text
        url = "\(links.publicURL)\(track.path)"
        (kind, title, text, language) = (track.kind.rawValue, item.title, item.text, item.language)
        work = track.work.text
        versionName = track.versionName.isEmpty ? nil : track.versionName
        (state, progress) = (item.state.rawValue, track.progress.rawValue)
        why = track.why.isEmpty ? nil : track.why
        outcome = item.outcome.isEmpty ? nil : item.outcome
        reason = item.reason.isEmpty ? nil : item.reason
        (version, isHidden, isFrozen) = (item.version, item.isHidden, item.isFrozen)
        author = Person(handle: item.author.handle, name: item.author.name, url: links.person(item.author))
        (created, changed, ended, expires) = (item.created, item.changed, item.ended, item.expires)
        tags = item.tags
        if case .amount(let amount, let currency) = track.price {
            price = Price(kind: track.price.kind.rawValue, amount: amount, currency: currency.rawValue)
        } else {
            price = Price(kind: track.price.kind.rawValue, amount: nil, currency: nil)
        }
        pictures = item.pictures.map { id in
            Picture(
                id: id.text, small: links.picture(id, .small), medium: links.picture(id, .medium),
                large: links.picture(id, .large))
        }
        preview = item.clip.map { clip in
            let url = track.publicPreview.map { links.audio($0.id) } ?? "\(links.publicURL)\(track.ownPreviewAPI)"
            return Preview(id: clip.id.text, url: url, seconds: clip.sound?.seconds)
        }
        (likes, saves, comments) = (item.ups, item.saves, item.comments)
        facts = track.facts.map { facts in
            Facts(
                milliseconds: facts.milliseconds, loudness: facts.loudness, peak: facts.peak,
                previewLoudness: facts.previewLoudness,
                tempo: facts.tempo.map { Tempo(beats: $0.beats, other: $0.other, confidence: $0.confidence) },
                key: facts.key.map { key in
                    Key(
                        key: key.tonality.number, name: key.tonality.name, other: key.other?.number,
                        otherName: key.other?.name, confidence: key.confidence)
                })
        }
    }
}

/// Some tracks, and where the next ones are.
struct TrackListDocument: Encodable {
    let tracks: [TrackDocument]
    /// For `after`; none at the end.
    let next: String?

    init(_ tracks: [Track], next: String?, links: HubLinks) {
        self.tracks = tracks.map { TrackDocument($0, links: links) }
        self.next = next
    }
}

extension BeatDesk {
    func document(
        _ track: Track, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        // Names of keys are for programs: in English, whoever asks.
        try Language.$current.withValue(.english) {
            try .json(TrackDocument(track, links: links), status: status).personal
        }
    }
}
