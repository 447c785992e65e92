internal import ChirpBoards
internal import ChirpMusic
internal import ChirpWeb
internal import Synchronization

/// Codes read aloud, as the page of an attempt plays them before the start tones. What was said lately is kept in memory: a browser asks for one
/// sound more than once.
final class SpokenCodes: Sendable {
    private struct Spoken {
        let text: String
        let wav: [UInt8]
    }

    private let voice: BoardVoice
    /// The newest come last.
    private let kept = Mutex<[Spoken]>([])
    /// Of a quarter of a megabyte each.
    private static let most = 32
    /// Four words are no longer than this, in bytes.
    private static let mostBytes = 1_000_000

    init(_ voice: BoardVoice) { self.voice = voice }

    /// A WAV of the four digits in the language of whoever asks; nil: nobody speaks it, or not now.
    ///
    /// - Parameter mayBegin: asked before the voice is, not of what is kept; what it throws is thrown.
    func wav(_ code: AttemptCode, mayBegin: () async throws -> Void) async throws -> [UInt8]? {
        let text = code.said
        if let known = kept.withLock({ $0.first { $0.text == text }?.wav }) { return known }
        try await mayBegin()
        guard let wav = try? await voice.say(text, [Language.current.rawValue]), wav.count <= Self.mostBytes else {
            return nil
        }
        kept.withLock { kept in
            kept.removeAll { $0.text == text }
            kept.append(Spoken(text: text, wav: wav))
            if kept.count > Self.most { kept.removeFirst() }
        }
        return wav
    }
}

extension AttemptCode {
    /// The digits as words of the language of whoever asks, with a pause behind each.
    var said: String {
        let names = word("try.digits").split(separator: " ")
        return digits.map { $0 < names.count ? String(names[$0]) : "\($0)" }.joined(separator: ", ")
    }
}
