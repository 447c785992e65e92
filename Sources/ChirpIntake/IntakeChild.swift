internal import CConfine
internal import ChirpAudio
internal import ChirpClips
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
internal import ChirpFlows
internal import ChirpMusic
internal import FoundationEssentials
internal import Glibc

/// The child: this program, started to decode what strangers send. It holds one socket and the files that come over it.
public enum IntakeChild {
    /// The only argument by which the program knows that it is one.
    static let argument = "intake-child"
    /// The same, for one that was bound when it was started, and may start `ffmpeg`.
    static let argumentWithPrograms = "intake-child-with-programs"
    /// The same, for one that reads pictures of all kinds: it opens their libraries while it may.
    static let argumentForPictures = "intake-child-for-pictures"

    /// The same, for one that was bound when it was started, and has `ffmpeg` make what is shown of one film: its descriptors from 3 on are that
    /// film, and the files for the shown copy, the sound, the preview, the poster and the copy without a timer.
    static let argumentForFilm = "intake-child-for-film"

    /// Is this process such a child, it does its work and ends; otherwise nothing happens.
    ///
    /// To be called before anything else, while there is one thread.
    ///
    /// - Parameter arguments: of the command line, without the program's name.
    public static func runIfAsked(by arguments: [String]) {
        guard arguments.count == 2, arguments[1].hasPrefix(landlockArgument) else {
            return runIfAsked(alone: arguments)
        }
        ConfinedProcess.$newestLandlock.withValue(Int(arguments[1].dropFirst(landlockArgument.count))) {
            runIfAsked(alone: Array(arguments.prefix(1)))
        }
    }

    private static let landlockArgument = "landlock="

    /// How a child is told that it is bound as on an older kernel (``ConfinedProcess/newestLandlock``).
    static var landlockArguments: [String] {
        ConfinedProcess.newestLandlock.map { ["\(landlockArgument)\($0)"] } ?? []
    }

    private static func runIfAsked(alone arguments: [String]) {
        switch arguments {
        case [argument]: run(mayStartPrograms: false)
        case [argumentWithPrograms]: run(mayStartPrograms: true)
        case [argumentForPictures]: run(mayStartPrograms: false, isForPictures: true)
        case [argumentForFilm]: run(mayStartPrograms: true, isForFilm: true)
        default: break
        }
    }

    /// Binds the process for good, works until the other end of descriptor 0 is closed, and ends.
    private static func run(mayStartPrograms: Bool, isForPictures: Bool = false, isForFilm: Bool = false) -> Never {
        // What is rehearsed is sound.
        let example = isForPictures || isForFilm ? nil : Rehearsal.clip()
        if isForPictures { ItemPicture.openLibraries() }
        guard (try? ConfinedProcess.confineSelf(mayStartPrograms: mayStartPrograms)) != nil, chirp_end_with(0) == 0
        else {
            exit(ExitCode.unexpected.rawValue)
        }
        let channel = IntakeChannel(adopting: 0)
        if let example { Rehearsal.run(example) }
        while let (work, descriptors) = channel.receive(IntakeWork.self) {
            let reply: IntakeReply
            do throws(AudioError) {
                reply = try perform(work, descriptors, channel)
            } catch {
                reply = .failed(AudioFault(error))
            }
            // Before the answer, so that whoever has it finds the pipe's end and the file whole.
            descriptors.forEach { close($0) }
            guard channel.send(reply) else { break }
        }
        exit(ExitCode.done.rawValue)
    }

    private static func perform(
        _ work: IntakeWork, _ descriptors: [Int32], _ channel: borrowing IntakeChannel
    ) throws(AudioError) -> IntakeReply {
        let paths = descriptors.map { "/proc/self/fd/\($0)" }
        switch (work, descriptors.count) {
        case (.hear(let name, let seconds), 1):
            return .heard(try ClipFacts(measuring: paths[0], name: name, longest: .seconds(seconds)))
        case (.decode(let name, let seconds), 2):
            return .decoded(frames: try decode(paths[0], name: name, .seconds(seconds), into: descriptors[1], channel))
        case (.transcode(var making), 2):
            making.request.source.path = paths[0]
            return .made(try making.run(into: descriptors[1]))
        case (.portray(let name), 1):
            return .portrayed(Data(try PortraitPicture(try content(of: descriptors[0], name: name), name: name).jpeg))
        case (.fillScreen(let name), 1):
            return .portrayed(Data(try ScreenPicture(try content(of: descriptors[0], name: name), name: name).jpeg))
        case (.picture(let name), 1):
            let bytes = try content(of: descriptors[0], name: name, most: ItemPicture.mostSourceBytes)
            return .pictured(Pictured(try ItemPicture(bytes, name: name)))
        case (.film(let name, let timer), 0):
            let making = FilmMaking(
                source: 3, shown: 4, sound: 5, preview: 6, poster: 7, plain: 8, timer: timer, name: name)
            return .filmed(try making.run())
        case (.listen(let name, let question), 1):
            return .listened(try listen(to: paths[0], name: name, question))
        case (.hearMaster(let name), 1):
            return .heardMaster(try MasterFacts(hearing: paths[0], name: name))
        case (.preview(let name, let wishes), 2...3):
            let voice = paths.count > 2 ? ClipSource(path: paths[2], name: "the voice", sha256: "") : nil
            return .previewed(
                try makePreview(
                    of: ClipSource(path: paths[0], name: name, sha256: ""), wishes, voice: voice,
                    to: .open(descriptors[1])))
        case (.checkStems(let name), 2...(1 + StemCheck.mostStems)):
            return .checkedStems(try StemReading.check(mix: paths[0], stems: Array(paths.dropFirst()), name: name))
        case (.trace(let name), 3):
            return .traced(
                TaggedLeak(
                    try TaggedLeak.samples(of: paths[0], name: name),
                    of: try TaggedLeak.samples(of: paths[1], name: "the master"),
                    voice: try TaggedLeak.samples(of: paths[2], name: "the voice")))
        default:
            throw .library(name: "a request with \(descriptors.count) files", code: 0)
        }
    }

    /// All of a file, which is no larger than a picture may be.
    private static func content(
        of file: Int32, name: String, most: Int = ScreenPicture.mostSourceBytes
    ) throws(AudioError) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= most {
            let count = read(file, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .inputOutput(path: name, reason: .system(.current)) }
            if count == 0 { return bytes }
            bytes += block[..<count]
        }
        throw .unsupported(name: name, reason: "a picture may have \(most / 1_000_000) MB")
    }

    /// All of it as one channel, which is held at once: ten minutes at 48 kHz are 115 MB.
    private static func listen(
        to path: String, name: String, _ question: SoundFindings.Question
    ) throws(AudioError) -> SoundFindings {
        var (samples, rate, isCut): ([Float], Int, Bool) = ([], 48_000, false)
        do throws(AudioError) {
            var limits = ReaderLimits.default
            limits.maximumLength = .seconds(SoundFindings.longest)
            var file = try AudioFile(opening: path, name: name, limits: limits)
            rate = file.format.sampleRate
            let share = 1 / Float(file.format.channels)
            var block = AudioBlock(format: file.format)
            // Whatever its head says: at the highest rate that is read the rest is left out.
            while samples.count < mostHeard, try file.read(into: &block) {
                let first = samples.count
                samples.append(contentsOf: repeatElement(0, count: block.frames))
                for channel in 0..<block.format.channels {
                    block.withPlane(channel) { plane in
                        for index in plane.indices where plane[index].isFinite {
                            samples[first + index] += share * plane[index]
                        }
                    }
                }
            }
        } catch {
            switch error {
            case .inputOutput, .missing, .library, .cancelled, .crashed: throw error
            default: isCut = true
            }
        }
        guard !samples.isEmpty else { return SoundFindings(.noSound) }
        return SoundFindings(question, in: samples.span, rate: rate, isCut: isCut)
    }

    private static let mostHeard = 48_000 * Int(SoundFindings.longest)

    private static func decode(
        _ path: String, name: String, _ longest: Duration, into pipe: Int32, _ channel: borrowing IntakeChannel
    ) throws(AudioError) -> Int {
        var limits = ReaderLimits.default
        limits.maximumLength = longest
        var file = try AudioFile(opening: path, name: name, limits: limits)
        let format = file.format
        guard channel.send(IntakeReply.opened(sampleRate: format.sampleRate, channels: format.channels)) else {
            throw .cancelled
        }
        var block = AudioBlock(format: format)
        var samples = [Float](repeating: 0, count: block.capacity * format.channels)
        var frames = 0
        while try file.read(into: &block) {
            var span = samples.mutableSpan
            interleave(block, into: &span)
            let bytes = block.frames * format.channels * MemoryLayout<Float>.stride
            var written = 0
            while written < bytes {
                let count = samples.withUnsafeBytes { buffer in
                    write(pipe, buffer.baseAddress.map { $0 + written }, bytes - written)
                }
                // Whoever listened has heard enough.
                guard count > 0 || errno == EINTR else { throw .cancelled }
                written += max(0, count)
            }
            frames += block.frames
        }
        return frames
    }
}
