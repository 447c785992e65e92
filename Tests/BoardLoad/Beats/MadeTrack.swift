import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import ChirpMusic
import Foundation

/// A track as somebody offers it, with what is heard in it.
struct MadeTrack: Sendable {
    let number: Int
    let author: AccountID
    /// Another version of the work of the track before it.
    let isVersion: Bool
    let draft: TrackDraft
    let facts: TrackFacts
    /// By which its recording is found among many.
    let keys: [UInt32]
    /// What its preview looks like.
    let peaks: [UInt8]
    let offers: [Offer]

    /// A licence that its work is offered under.
    struct Offer: Sendable {
        let template: LicenceTemplate
        let terms: LicenceTerms
    }

    /// One of eight is a voice without its beat, one of ten another version of the one before.
    init(
        _ number: Int, by author: AccountID, isVersion: Bool, sound: MadeSound, vocabulary: Vocabulary,
        using generator: inout SplitMix
    ) {
        (self.number, self.author, self.isVersion) = (number, author, isVersion)
        let kind = number % 8 == 7 ? Track.Kind.open : .beat
        let (title, text, tags) = vocabulary.track(using: &generator)
        var draft = TrackDraft(kind: kind, title: title)
        (draft.text, draft.tags, draft.language) = (text, tags, "en")
        if isVersion { draft.versionName = "another hook" }
        let dice = Double.random(in: 0..<1, using: &generator)
        let amount = Int64.random(in: 5...200, using: &generator) * 100
        draft.price = dice < 0.8 ? .amount(amount, .eur) : dice < 0.95 ? .offer : .free
        self.draft = draft
        let print = sound.print(using: &generator)
        (facts, keys) = (sound.facts(print, using: &generator), print.keys)
        peaks = (0..<200).map { _ in UInt8.random(in: 60...255, using: &generator) }
        offers = isVersion ? [] : Self.offers(at: draft.price, hasExclusive: generator.next().isMultiple(of: 3))
    }

    private static func offers(at price: TrackPrice, hasExclusive: Bool) -> [Offer] {
        switch price {
        case .offer: return []
        case .free: return [Offer(template: .mp3, terms: LicenceTemplate.mp3.terms(at: .free))]
        case .amount(let amount, let currency):
            let kinds: [(LicenceTemplate, Int64)] =
                [(.mp3, 1), (.wav, 2)] + (hasExclusive ? [(.exclusive, 20)] : [])
            return kinds.map { template, times in
                let money = LicenceAmount(amount * times, currency.rawValue, decimals: currency.decimals)
                return Offer(template: template, terms: template.terms(at: .amount(money)))
            }
        }
    }
}

/// What tracks sound like: some hundred styles, and each track somewhere around one of them.
struct MadeSound: Sendable {
    private let styles: [[Float]]

    init(seed: UInt64) {
        var generator = SplitMix(seed: seed &+ 91)
        styles = (0..<500).map { _ in
            (0..<SoundDescription.count).map { _ in Self.normal(using: &generator) }
        }
    }

    /// Of a recording of two to four minutes. No two have a word in common but by chance.
    func print(using generator: inout SplitMix) -> RecordingPrint {
        let seconds = Double.random(in: 120...240, using: &generator)
        return RecordingPrint(
            words: (0..<Int(seconds / RecordingPrint.step)).map { _ in UInt32(truncatingIfNeeded: generator.next()) })
    }

    func facts(_ print: RecordingPrint, using generator: inout SplitMix) -> TrackFacts {
        var facts = TrackFacts(milliseconds: Int(print.seconds * 1000))
        facts.loudness = .random(in: -16 ... -6, using: &generator)
        facts.peak = .random(in: -2...0.5, using: &generator)
        facts.previewLoudness = -14
        let beats = Double.random(in: 65...180, using: &generator)
        facts.tempo = TrackFacts.Tempo(
            beats: beats, other: beats < 110 ? 2 * beats : beats / 2,
            confidence: .random(in: 0.4...1, using: &generator))
        let key = Tonality(tonic: .random(in: 0..<12, using: &generator), isMinor: Bool.random(using: &generator))
        facts.key = TrackFacts.Key(key, other: key.relative, confidence: .random(in: 0.3...1, using: &generator))
        facts.density = .random(in: 1...8, using: &generator)
        facts.brightness = .random(in: 400...4000, using: &generator)
        facts.beats = (0..<Int(print.seconds * beats / 60)).map { Double($0) * 60 / beats }
        let style = styles[Int.random(in: 0..<styles.count, using: &generator)]
        facts.description = style.map { $0 + 0.5 * Self.normal(using: &generator) }
        facts.print = print.bytes
        return facts
    }

    /// Nearly of the normal distribution: the sum of four of the same.
    private static func normal(using generator: inout SplitMix) -> Float {
        let bits = generator.next()
        let sum = (0..<4).reduce(Float(0)) { $0 + Float(bits >> (16 * UInt64($1)) & 0xFFFF) / 65_536 }
        return (sum - 2) * 1.732
    }
}
