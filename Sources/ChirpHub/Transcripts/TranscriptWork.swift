package import ChirpCommunity
internal import ChirpCore
internal import ServiceLifecycle
internal import Synchronization

/// Has the clips transcribed that were published without words, one at a time, for as long as the server runs. Which wait is a question to
/// the tables, so a server that is killed loses none, and none is transcribed again once that is written down.
package final class TranscriptWork: Sendable {
    private let library: HubLibrary
    private let transcribing: Transcribing
    private let clock: any Clock<Duration>
    private let warn: @Sendable (String) -> Void
    /// What has been said in the log: a program that fails fails with every clip.
    private let told = Mutex<Set<String>>([])

    /// How often the tables are asked while nothing waits.
    private static let pause = Duration.seconds(3)
    /// How long a program that cannot be started is left alone.
    private static let rest = Duration.seconds(60)
    private static let mostTold = 100

    package init(
        _ library: HubLibrary, _ transcribing: Transcribing, clock: any Clock<Duration>,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.library = library
        self.transcribing = transcribing
        self.clock = clock
        self.warn = warn
    }

    /// Until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            var pause = Self.rest
            do throws(LibraryError) {
                if try await hearWhatWaits() { pause = Self.pause }
            } catch {
                tell(error.whatHappened)
            }
            try? await clock.sleep(for: pause)
        }
    }

    /// - Returns: false when something waits on, since it cannot be transcribed now.
    package func hearWhatWaits() async throws(LibraryError) -> Bool {
        while !Task.isCancelled, let clip = try await library.nextUnheard() {
            guard try await library.beginHearing(clip.id) else { continue }
            if case .away = await library.sound(of: clip.id) {
                try await library.postponeHearing(clip.id)
                return false
            }
            let answer = await transcribing.transcribe(
                Transcribing.Order(path: library.media.file(clip.id), seconds: clip.sound?.seconds ?? 0))
            // The server ends; the clip waits for the next one.
            guard !Task.isCancelled else { return false }
            switch answer {
            case .said(let words):
                if let draft = draft(words) { _ = try await library.setTranscript(draft, of: clip.id, by: nil) }
            case .refused(let why): tell(why)
            case .notNow(let why):
                tell(why)
                try await library.postponeHearing(clip.id)
                return false
            }
            try await library.endHearing(clip.id)
        }
        return true
    }

    private func draft(_ words: String) -> TranscriptDraft? {
        do throws(TranscriptDraft.Refusal) { return try TranscriptDraft(words, language: "") } catch {
            tell(error == .tooLong ? "it says more than is kept" : "what it says is no WebVTT")
            return nil
        }
    }

    private func tell(_ why: String) {
        let why = PlainText(why, limit: 500).value
        let isNew = told.withLock { $0.count < Self.mostTold && $0.insert(why).inserted }
        if isNew { warn("transcribing: \(why)") }
    }
}

/// Transcribes for as long as the server runs.
struct TranscriptService: Service {
    let work: TranscriptWork

    func run() async throws { await cancelWhenGracefulShutdown { await work.run() } }
}
