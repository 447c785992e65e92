import ChirpCommands
import ChirpCore
import ChirpFiles
import Glibc

/// The program `espeak-ng`, started for one text: bound to its own libraries and voices, without a network, and with limits
/// (``ConfinedProcess``). No shell is between, and the text is no argument: it comes through a pipe.
struct SpeechProgram: Sendable {
    let path: String

    /// Why nothing was said.
    enum Failure: Error, Hashable {
        case noVoice
        case system(SystemError)
        case tooLong
    }

    /// The most characters that it is given.
    static let longest = 600
    /// A pipe may hold no more than a page, and nobody reads while this is written.
    private static let mostBytes = 4000
    /// Three minutes at 22.05 kHz.
    private static let mostSound = 8_000_000
    /// Of processor time. On a busy machine that takes long.
    private static let work = Duration.seconds(10)
    private static let patience = Duration.seconds(90)

    /// The first on a search path; nil where there is none.
    static func find(searchPath: String) -> SpeechProgram? {
        searchPath.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/espeak-ng" }
            .first { access($0, X_OK) == 0 }.map(SpeechProgram.init)
    }

    /// Reads text aloud. Blocks until all of it was said.
    ///
    /// - Parameter languages: the first that it has a voice for is spoken (BCP 47).
    /// - Returns: a WAV, whose header says a length that it does not have, as from a pipe.
    func say(_ text: String, in languages: [String]) throws(Failure) -> [UInt8] {
        for language in languages.flatMap(Self.voices) {
            let sound = try run(text, voice: language)
            // A voice that is not there is told by the code of the end alone, and nothing is written.
            if sound.count > 44 { return sound }
        }
        throw .noVoice
    }

    /// What a language may be called there: as a whole, and without what follows the first hyphen. Voices named `mb` are other programs.
    private static func voices(_ language: String) -> [String] {
        let language = language.lowercased()
        guard language.utf8.count <= 20, let primary = language.wholeMatch(of: #/([a-z]{2,3})(-[a-z0-9]{2,8})*/#)?.1,
            primary != "mb"
        else { return [] }
        return primary == language ? [language] : [language, String(primary)]
    }

    private func run(_ text: String, voice: String) throws(Failure) -> [UInt8] {
        // Between double brackets it would take phonemes.
        var words = String(text.prefix(Self.longest)).replacing("[[", with: "[ [")
        while words.utf8.count > Self.mostBytes { words.removeLast() }
        do throws(SystemError) {
            let (input, output) = (try PipeEnds(), try PipeEnds())
            let theirInput = OpenFile(adopting: input.reading)
            let ourInput = OpenFile(adopting: input.writing)
            let ourOutput = OpenFile(adopting: output.reading)
            let theirOutput = OpenFile(adopting: output.writing)
            let bytes = Array(words.utf8)
            // It fits, so nobody is waited for.
            guard Glibc.write(ourInput.raw, bytes, bytes.count) == bytes.count else { throw SystemError.current }
            _ = consume ourInput
            let process = try ConfinedProcess(
                path, arguments: ["--stdin", "--stdout", "-b", "1", "-v", voice],
                descriptors: [theirInput.raw, theirOutput.raw, nil],
                limits: ConfinedProcess.Limits(
                    processorTime: Self.work, memory: ByteCount(512 << 20), isForeign: true))
            _ = consume theirOutput
            let sound = Self.read(ourOutput.raw)
            _ = consume process
            guard let sound else { throw SystemError(code: ETIMEDOUT) }
            return sound
        } catch {
            throw error.code == ETIMEDOUT ? .tooLong : .system(error)
        }
    }

    /// All that is written; nil when that is too much or takes too long.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        let end = ContinuousClock.now + patience
        var sound: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while ContinuousClock.now < end, !Task.isCancelled {
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 200) > 0 else { continue }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return sound }
            if count > 0 { sound += buffer[..<count] } else if errno != EINTR { return nil }
            if sound.count > mostSound { return nil }
        }
        return nil
    }
}
