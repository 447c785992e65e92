internal import ChirpAudio
internal import ChirpCore
internal import ChirpFiles
internal import FoundationEssentials
internal import Glibc

/// A program of the owner's that writes down what is said: it gets a WAV (16 kHz, mono, 16 bits) on standard input and says WebVTT or plain
/// words on standard output.
///
/// It is bound as other programs are (``ConfinedProcess``): it has no network and no environment, may write nothing, and may read the
/// system's programs and the folders that its command names.
public struct Transcriber: Sendable {
    /// Why there are no words. The reasons tell nothing of the clip.
    public enum Failure: Error, Hashable {
        /// It will not be better later.
        case refused(String)
        /// It may go better later.
        case notNow(String)
    }

    /// The most that it may say, in bytes.
    public static let mostBytes = 200_000
    /// The longest clip. A day of sound is no clip.
    static let longest = Duration.seconds(4 * 3600)
    private static let mostComplaint = 300
    private static let places = ["/usr/local/bin", "/usr/bin", "/bin"]

    private let words: [String]
    private let intake: Intake
    private let folder: String
    private let base: Duration

    /// - Parameters:
    ///   - command: a path or the name of a program, and its arguments, with spaces between.
    ///   - intake: decodes the clips.
    ///   - folder: where the decoded sound lies meanwhile, without a name.
    ///   - base: how long it may take for a clip of no length; four times the clip's length come on top.
    public init(command: String, intake: Intake, folder: String, base: Duration = .seconds(120)) {
        words = command.split(separator: " ").map(String.init)
        self.intake = intake
        self.folder = folder
        self.base = base
    }

    /// Where the program lies; nil when it is not there.
    public var program: String? {
        guard let first = words.first else { return nil }
        if first.hasPrefix("/") { return access(first, X_OK) == 0 ? first : nil }
        guard !first.contains("/") else { return nil }
        return Self.places.map { "\($0)/\(first)" }.first { access($0, X_OK) == 0 }
    }

    /// What is said in a clip. Blocking; looks at `Task.isCancelled`.
    public func transcript(of path: String, seconds: Double) throws(Failure) -> String {
        guard let program else { throw .notNow("the program '\(words.first ?? "")' is not there") }
        let sound: OpenFile
        do throws(AudioError) {
            sound = try HearingFile.written(
                try intake.reader(of: path, name: "a clip", longest: Self.longest), in: folder)
        } catch {
            // What can be the clip's own fault is not tried for ever: the others wait behind it.
            throw error == .cancelled || error.isOfMachine ? .notNow(error.whatHappened) : .refused(error.whatHappened)
        }
        return try run(program, reading: sound, within: base + .seconds(4 * min(max(seconds, 0), 14_400)))
    }

    private func run(
        _ program: String, reading sound: borrowing OpenFile, within limit: Duration
    ) throws(Failure) -> String {
        let (said, complained): (PipeEnds, PipeEnds)
        do throws(SystemError) { said = try PipeEnds() } catch { throw .notNow("\(error)") }
        let output = OpenFile(adopting: said.reading)
        do throws(SystemError) { complained = try PipeEnds() } catch {
            close(said.writing)
            throw .notNow("\(error)")
        }
        let errors = OpenFile(adopting: complained.reading)
        let folders = folders(program)
        defer { folders.forEach { close($0) } }
        let process: ConfinedProcess
        do throws(SystemError) {
            defer {
                close(said.writing)
                close(complained.writing)
            }
            let cores = Int64(max(1, ProcessInfo.processInfo.activeProcessorCount))
            process = try ConfinedProcess(
                program, arguments: Array(words.dropFirst()),
                descriptors: [sound.raw, said.writing, complained.writing] + folders,
                // Models are large, and are mapped.
                limits: ConfinedProcess.Limits(
                    processorTime: .seconds(limit.components.seconds * cores), memory: ByteCount(Int64(32) << 30),
                    descriptors: 256, isForeign: true, startsPrograms: true))
        } catch {
            throw .notNow("the program cannot be started: \(error)")
        }
        let end = ContinuousClock.now + limit
        let tooLong = Failure.refused("the program took longer than it may")
        var listened = Listened()
        while !listened.isOver {
            guard !Task.isCancelled else { throw .notNow("interrupted") }
            guard ContinuousClock.now < end else { throw tooLong }
            listened.listen(output.raw, errors.raw, mostBytes: Self.mostBytes)
            if listened.words.count > Self.mostBytes { throw .refused("the program says more than 200 kB") }
        }
        guard let ending = process.ending(within: max(.zero, end - .now)) else { throw tooLong }
        guard ending == .exited(0) else {
            let complaint = PlainText(
                String(decoding: listened.complaint.prefix(Self.mostComplaint), as: UTF8.self),
                limit: Self.mostComplaint
            ).value
            throw .refused("the program \(ending)\(complaint.isEmpty ? "" : ": \(complaint)")")
        }
        return String(decoding: listened.words, as: UTF8.self)
    }

    /// Those that the command names, of a file the one it lies in. What lies below the system's folders may be read anyway.
    private func folders(_ program: String) -> [Int32] {
        var found: [Int32] = []
        for word in [program] + words.dropFirst() where word.hasPrefix("/") && !word.hasPrefix("/usr/") {
            var facts = stat()
            guard found.count < 12, stat(word, &facts) == 0 else { continue }
            let parent = word.lastIndex(of: "/").map { String(word[..<$0]) } ?? ""
            let isOpened = facts.st_mode & S_IFMT == S_IFDIR || parent.isEmpty
            let descriptor = open(isOpened ? word : parent, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            if descriptor >= 0 { found.append(descriptor) }
        }
        return found
    }
}

/// What a program has said so far.
private struct Listened {
    private(set) var words: [UInt8] = []
    private(set) var complaint: [UInt8] = []
    private var isSaid = false
    private var isComplained = false
    private var block = [UInt8](repeating: 0, count: 1 << 16)

    var isOver: Bool { isSaid && isComplained }

    /// Waits a moment for more.
    mutating func listen(_ output: Int32, _ errors: Int32, mostBytes: Int) {
        // A negative one is not looked at (poll(2)).
        var ready = [
            pollfd(fd: isSaid ? -1 : output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isComplained ? -1 : errors, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&ready, 2, 100) > 0 else { return }
        if ready[0].revents != 0 { isSaid = !Self.take(output, &block, &words, most: mostBytes + 1) }
        if ready[1].revents != 0 { isComplained = !Self.take(errors, &block, &complaint, most: 4096) }
    }

    /// - Returns: false at the end.
    private static func take(_ descriptor: Int32, _ block: inout [UInt8], _ bytes: inout [UInt8], most: Int) -> Bool {
        let count = read(descriptor, &block, block.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        bytes += block[..<min(count, max(0, most - bytes.count))]
        return true
    }
}
