internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird
internal import Synchronization

/// Updates read aloud, for a frame whose style asks for it and a hub that has a voice. A recorded voice goes first: what came with a
/// sound is not read over it.
struct FrameSpeaking: Sendable {
    let desk: FrameDesk

    /// The most characters that are read.
    static let longest = 600

    var route: WebRoute {
        .api(
            .get, "\(FrameDesk.base)/speech/:id", .everybody, scope: .open,
            summary: "An update, read aloud by a synthetic voice",
            givesType: "audio/mpeg"
        ) { request, context in
            let frame = try await desk.frame(request)
            guard let id = context.parameters.get("id")?.safeInteger,
                let update = try await desk.library.update(id, of: frame)
            else { throw Problem(.notFound, "not-found", "There is no such update") }
            guard frame.style.spoken, let speech = desk.speech, let document = desk.document(update, of: frame),
                let text = Self.text(document)
            else { throw Self.nothing(nil) }
            let languages = [update.post?.language, Language.current.rawValue].compactMap { $0 }
            let (key, now) = (SpokenUpdates.Key(frame: frame.id, text: text, languages: languages), desk.library.now())
            if let known = desk.spoken.find(key, now) { return .sound(known, to: request) }
            try await desk.limits.allow("frame-speech", FrameDesk.Rule.speech, by: .device(frame))
            do throws(FrameDesk.Refusal) {
                let mp3 = try await speech(text, languages)
                desk.spoken.keep(mp3, key, now)
                return .sound(mp3, to: request)
            } catch {
                throw Self.nothing(error.reason)
            }
        }
    }

    /// What is said: whose it is, and the words; nil when there are none, or a voice of its own says them.
    static func text(_ update: FrameUpdateDocument) -> String? {
        guard update.clip == nil, !update.text.isEmpty else { return nil }
        // Nobody wants to hear an address letter by letter.
        let words = update.text.split(whereSeparator: \.isWhitespace).map { word -> Substring in
            guard word.hasPrefix("https://") || word.hasPrefix("http://") else { return word }
            return word.split(separator: "/", maxSplits: 2).dropFirst().first?.prefix { $0 != "?" && $0 != "#" } ?? word
        }
        let name = update.name.isEmpty ? update.handle : update.name
        return PlainText("\(name): \(words.joined(separator: " "))", limit: longest).value
    }

    private static func nothing(_ why: String?) -> Problem {
        Problem(.notFound, "no-speech", "This update is not read aloud", detail: why)
    }
}

/// What was read aloud lately, in memory: a player asks for one sound in several parts, and somebody may want to hear it again. Each device
/// has its own, for an hour at most.
final class SpokenUpdates: Sendable {
    struct Key: Hashable, Sendable {
        let frame: FrameDevice.ID
        let text: String
        let languages: [String]
    }

    private struct Kept {
        let key: Key
        let mp3: [UInt8]
        let at: Date
    }

    /// The newest come last.
    private let kept = Mutex<[Kept]>([])
    private static let longest = 3600.0
    /// Of one device.
    private static let most = 4
    /// Of all together, in bytes.
    private static let mostBytes = 16_000_000

    func find(_ key: Key, _ now: Date) -> [UInt8]? {
        kept.withLock { kept in
            kept.removeAll { !(0..<Self.longest).contains(now.timeIntervalSince($0.at)) }
            return kept.first { $0.key == key }?.mp3
        }
    }

    func keep(_ mp3: [UInt8], _ key: Key, _ now: Date) {
        guard mp3.count <= Self.mostBytes / 4 else { return }
        kept.withLock { kept in
            kept.removeAll { $0.key == key }
            kept.append(Kept(key: key, mp3: mp3, at: now))
            let own = kept.indices.filter { kept[$0].key.frame == key.frame }
            if own.count > Self.most, let oldest = own.first { kept.remove(at: oldest) }
            while kept.reduce(0, { $0 + $1.mp3.count }) > Self.mostBytes { kept.removeFirst() }
        }
    }

    /// The device has ended.
    func forget(_ frame: FrameDevice.ID) { kept.withLock { $0.removeAll { $0.key.frame == frame } } }
}
