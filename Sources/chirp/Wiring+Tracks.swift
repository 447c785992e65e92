import ChirpAudio
import ChirpBoards
import ChirpClips
import ChirpCommands
import ChirpCore
import ChirpFiles
import ChirpFlows
import ChirpIntake
import ChirpMusic
import Glibc

// How tracks that are sold are listened to, and what others hear of them is made.
extension Wiring {
    /// In children that hold nothing; one track at a time, since the machine serves meanwhile. Where `espeak-ng` is installed a preview says whose it
    /// is.
    func trackMaking() -> TrackMaking {
        let (intake, speech, folder) = (intake, trackVoice(), session.paths.temporary)
        let (lane, copies) = (TrackLane(), IntakeLanes(reusesChildren: false, longest: Self.longest))
        return TrackMaking(
            checkStems: { (stems, mix) async throws(TrackMaking.Failure) in
                try await lane.run { () throws(AudioError) in try intake.stems(stems, of: mix, name: "the mix") }
            },
            copy: { (master, goal) async throws(TrackMaking.Failure) in
                try await lane.run { () throws(AudioError) in
                    let request = ClipRequest(copyOf: ClipSource(path: master, name: "the master", sha256: ""))
                    _ = try copies.make(Transcoding(request: request, keepsTags: true), path: goal)
                }
            },
            tagging: listenerTagging(lane),
            { (order) async throws(TrackMaking.Failure) in
                let master = try await lane.run { () throws(AudioError) in
                    try intake.master(of: order.input, name: order.name)
                }
                guard master.seconds <= Double(order.longest) else {
                    throw .refused(
                        "\(order.name) is \(Int(master.seconds.rounded(.up))) s long; this hub takes \(order.longest) s"
                    )
                }
                let preview = try await lane.run { () throws(AudioError) in
                    let voice = TrackVoice(saying: order.person, by: speech, in: folder)
                    return try intake.preview(
                        of: order.input, Self.wishes(for: order, master, voice), voice: voice?.path, to: order.preview,
                        name: order.name)
                }
                return TrackMaking.Made(
                    facts: TrackFacts(master, preview), seconds: preview.seconds, peaks: preview.peaks)
            })
    }

    func trackVoice() -> SpeechProgram? {
        SpeechProgram.find(searchPath: session.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
    }

    /// The voice's places are the track's own, so that what a preview was cut from can be told by them.
    private static func wishes(
        for order: TrackMaking.Order, _ master: MasterFacts, _ voice: TrackVoice?
    ) -> PreviewWishes {
        guard let seconds = voice?.seconds else { return PreviewWishes(title: order.title, artist: order.person) }
        let plan = TagPlan(slots(of: master, voice: seconds), seed: TrackVoice.seed(of: order.id))
        return PreviewWishes(title: order.title, artist: order.person, places: plan.places)
    }

    /// Where a voice of so many seconds may be heard in the preview of a master.
    static func slots(of master: MasterFacts, voice seconds: Double) -> TagSlots {
        TagSlots(
            beats: master.profile?.grid.beats ?? [], loudestSecond: master.loudestSecond,
            length: PreviewRules.length(of: master.seconds) / .seconds(1), voice: seconds)
    }
}

/// Works on tracks, one at a time.
struct TrackLane: Sendable {
    private let semaphore = AsyncSemaphore(width: 1)

    func run<T: Sendable>(
        _ body: @escaping @Sendable () throws(AudioError) -> T
    ) async throws(TrackMaking.Failure) -> T {
        guard await semaphore.enter() else { throw .notNow("it was not waited for") }
        defer { semaphore.leave() }
        do throws(AudioError) { return try await offPool(body) } catch { throw error.ofTrack }
    }
}

/// Somebody's name, spoken, in a file without a name: nothing is left of it, whoever dies.
final class TrackVoice {
    private let file: OpenFile
    /// The file.
    let bytes: [UInt8]

    /// What takes longer to say hides the music.
    private static let longestName = 40

    /// Nil where nothing is said: without the program, a name, a voice or room for the file a preview has none.
    convenience init?(saying name: String, by program: SpeechProgram?, in folder: String) {
        let name = PlainText(name, limit: Self.longestName).value
        guard let program, !name.isEmpty, let spoken = try? program.say(name, in: ["en"]),
            let samples = try? AnnouncementSound.samples(ofSpoken: spoken),
            let bytes = AnnouncementSound.file(spoken: samples)
        else { return nil }
        do throws(AudioError) { try self.init(bytes, in: folder) } catch { return nil }
    }

    /// - Parameter bytes: as another voice's.
    init(_ bytes: [UInt8], in folder: String) throws(AudioError) {
        let path = "\(folder)/voice-\(RandomName(length: 20))"
        do throws(FileError) {
            let file = try OpenFile(path, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            unlink(path)
            let descriptor = file.raw
            try bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in
                try OpenFile.write(UnsafeRawBufferPointer(bytes), to: descriptor, name: path)
            }
            self.file = file
            self.bytes = bytes
        } catch {
            throw AudioError(error)
        }
    }

    /// How long it is.
    var seconds: Double { Double(max(0, bytes.count - MonoWAV.headBytes)) / 2 / Double(AnnouncementSound.rate) }

    var path: String { "/proc/self/fd/\(file.raw)" }

    /// Of a track: the same for each try.
    static func seed(of id: String) -> UInt64 {
        UInt64(FileDigest.sha256(of: Array(id.utf8)).prefix(16), radix: 16) ?? 0
    }
}

extension TrackFacts {
    /// What children have found.
    init(_ master: MasterFacts, _ preview: PreviewFacts) {
        self.init(milliseconds: Int((master.seconds * 1000).rounded()))
        (loudness, peak, previewLoudness) = (master.loudness, master.truePeak, preview.loudness)
        if let profile = master.profile {
            tempo = profile.tempo.map {
                Tempo(beats: $0.beatsPerMinute, other: $0.alternative, confidence: $0.confidence)
            }
            key = profile.key.map {
                Key(Tonality($0.key), other: $0.alternatives.first.map { Tonality($0.key) }, confidence: $0.confidence)
            }
            (description, beats) = (profile.description.numbers, profile.grid.beats)
            (density, brightness) = (profile.figures.density, profile.figures.brightness)
        }
        if let trace = master.trace { (print, probes) = (trace.print.bytes, trace.probes) }
    }
}
