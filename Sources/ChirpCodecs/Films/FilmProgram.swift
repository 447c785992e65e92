internal import ChirpAudio
internal import ChirpCore
internal import ChirpFiles
internal import Glibc

/// `ffmpeg` or `ffprobe` at work on one film, each a process that is bound to the files it is given, starts nothing and ends with the one that has
/// started it (``ConfinedProcess``). Its descriptor 0 is what it reads, 1 a pipe for what it says, and from 3 on are files that it writes.
struct FilmProgram: ~Copyable {
    enum Name: String { case ffmpeg, ffprobe }

    /// In the package `ffmpeg` of Debian are both.
    static func path(_ name: Name) -> String? {
        ["/usr/bin/\(name.rawValue)", "/usr/local/bin/\(name.rawValue)"].first { access($0, X_OK) == 0 }
    }

    /// Before the input: what it may be taken for. Nothing but the one file is opened, whatever stands in it; a film that names others, as
    /// QuickTime's references do, has them not.
    static let input = [
        "-protocol_whitelist", "file", "-format_whitelist", FilmRules.containers, "-codec_whitelist",
        FilmRules.decoders, "-max_pixels", "\(FilmRules.mostSourcePixels)", "-i", "file:/proc/self/fd/0",
    ]

    /// The file that stands at a place behind the pipe, from 0.
    static func output(_ place: Int) -> String { "file:/proc/self/fd/\(3 + place)" }

    private let process: ConfinedProcess
    private let output: OpenFile
    private let name: String

    /// - Parameters:
    ///   - source: read by its name, so that its position does not matter.
    ///   - goals: regular files, open for reading and writing.
    ///   - film: for errors.
    ///   - processorTime: the most it may take.
    init(
        _ program: Name, _ arguments: [String], reading source: Int32, writing goals: [Int32] = [], film: String,
        processorTime: Duration
    ) throws(AudioError) {
        guard let path = Self.path(program) else {
            throw .programMissing(name: film, kind: "a video", program: FFmpegProgram.name)
        }
        let ends: PipeEnds
        do throws(SystemError) { ends = try PipeEnds() } catch {
            throw .inputOutput(path: film, reason: .system(error))
        }
        let output = OpenFile(adopting: ends.reading)
        let theirs = OpenFile(adopting: ends.writing)
        do throws(SystemError) {
            process = try ConfinedProcess(
                path, arguments: arguments, descriptors: [source, theirs.raw, nil] + goals,
                limits: ConfinedProcess.Limits(
                    processorTime: processorTime, memory: ByteCount(Self.memory),
                    file: ByteCount(FilmRules.mostMadeBytes), isForeign: true, isAlone: true))
        } catch {
            throw .inputOutput(path: film, reason: .system(error))
        }
        self.output = output
        name = film
    }

    /// Of address space; the program and its libraries take some 400 MB of it, pictures of 4K 250 MB, and each copy that is made 150 MB: two of
    /// 4K were not made in 896 MB, and were in 1024.
    private static let memory = Int64(1152 << 20)

    /// All that it says, when it has ended by itself.
    ///
    /// - Parameters:
    ///   - most: in bytes; of a long talk the newest is kept.
    ///   - patience: how long it may take by now, told what it has said so far (``FilmRules/patience``).
    /// - Throws: `crashed` when it ends otherwise.
    func said(most: Int, patience: (_ said: [UInt8]) -> Duration) throws(AudioError) -> [UInt8] {
        var said: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 14)
        let start = ContinuousClock.now
        while true {
            let limit = patience(said)
            let used = process.processorTime ?? .zero
            guard used < limit * FilmRules.processors, start.duration(to: .now) < limit * FilmRules.patienceWhenBusy
            else {
                process.kill()
                throw .crashed(name: name, reason: "it takes longer than a film of its length may")
            }
            var ready = pollfd(fd: output.raw, events: Int16(POLLIN), revents: 0)
            let events = poll(&ready, 1, 100)
            if events == 0 || events < 0 && errno == EINTR { continue }
            let count = read(output.raw, &block, block.count)
            if count == 0 { break }
            if count < 0 {
                guard errno == EINTR else { throw .inputOutput(path: name, reason: .system(.current)) }
                continue
            }
            said += block[..<count]
            if said.count > most { said.removeFirst(said.count - most) }
        }
        // What is wrong with a film it says by a code; the files show what has come of it.
        if case .killed(let signal) = process.ending() {
            throw .crashed(name: name, reason: "\(ConfinedProcess.Ending.killed(signal: signal))")
        }
        return said
    }
}
