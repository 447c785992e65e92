import ChirpAudio
import ChirpClips
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpFiles
import ChirpFleet
import ChirpFlows
import ChirpHub
import ChirpIntake
import ChirpMP3
import FoundationEssentials
import Glibc
import Logging

// How the hub takes in what members send.
extension Wiring {
    /// Decodes what strangers send: one for all wirings of this process, so that they share its spare children.
    var intake: Intake { Self.sharedIntake }

    private static let sharedIntake = Intake()

    /// Where the hub's certificate lies; nil when it has none.
    func hubTLS() throws(HubError) -> TLSFiles? {
        switch (session.config.hubTLSCertificate.value, session.config.hubTLSKey.value) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        default: throw .halfCertificate
        }
    }

    /// Clips made as `publish` makes them, in children that hold nothing; at most two at once, since the machine serves meanwhile. With
    /// `hub.fleet` workers make them, and the children what no worker can.
    ///
    /// - Parameter duty: whose holder alone asks workers; nil: this process does.
    func clipIntake(duty: DutyLock? = nil) throws(FleetError) -> ClipIntake {
        // One child for each upload: none sees what two members have sent.
        let (lanes, intake, config) = (
            IntakeLanes(reusesChildren: false, longest: Self.longest), intake, session.config
        )
        let (fleet, children) = (try fleetIntake(duty), AsyncSemaphore(width: 2))
        let outline: @Sendable (ClipIntake.Order, Int) async throws(ClipIntake.Failure) -> HubSound = {
            (order, columns) throws(ClipIntake.Failure) in
            do throws(AudioError) {
                return try await offPool { () throws(AudioError) in
                    try ClipPicture.outline(
                        try intake.reader(of: order.input, name: order.name, longest: Self.longest), columns: columns)
                }
            } catch {
                throw Self.failure(error, of: order)
            }
        }
        return ClipIntake(lanes: fleet == nil ? 2 : 16, outline: outline) { (order) async throws(ClipIntake.Failure) in
            do throws(AudioError) {
                var receipt: Receipt?
                if let fleet, let goal = order.goal {
                    receipt = try await fleet.make(
                        FleetIntake.Order(
                            id: order.id, input: order.input, sha256: order.sha256,
                            request: Self.request(order, config), goal: goal))
                }
                guard await children.enter() else { throw .cancelled }
                defer { children.leave() }
                return try await offPool { [receipt] () throws(AudioError) in
                    if let goal = order.goal, let receipt {
                        return try Self.found(at: goal, receipt: Self.text(receipt, of: order), by: intake)
                    }
                    return try Self.local(order, config, lanes: lanes, intake: intake)
                }
            } catch {
                throw Self.failure(error, of: order)
            }
        }
    }

    /// The fleet that takes in; nil without one.
    private func fleetIntake(_ duty: DutyLock?) throws(FleetError) -> FleetIntake? {
        guard let servers = session.config.hubFleet.value else { return nil }
        let logger = logger()
        return try FleetIntake(
            fleetSettings(servers), roots: fleetRoots(), folder: "\(session.paths.hub)/fleet",
            isOn: { duty?.isHeld ?? true }
        ) { error in
            logger.warning("the fleet makes nothing now, children do: \(error.whatHappened)")
        }
    }

    /// Each process has a port of its own, which is no part of the links of all.
    func checkSharing() throws(HubError) {
        guard session.config.hubPublicURL.value == nil else { return }
        throw .sharingIncomplete(reason: "hub.publicURL does not say what the links of all begin with")
    }

    /// Which of the processes that serve the hub is on duty; nil where this one serves it alone.
    ///
    /// - Throws: ``HubError``, ``LibraryError``.
    func hubDuty(_ library: HubLibrary) throws -> DutyLock? {
        guard session.config.hubShared.value else { return nil }
        try checkSharing()
        return try DutyLock(folder: library.folder)
    }

    /// How processes that serve the hub tell each other that something was committed; nil where none share it, or each looks by itself.
    func hubSignals() throws(FleetError) -> HubSignals? {
        guard session.config.hubShared.value, let servers = session.config.hubSignals.value else { return nil }
        let logger = logger()
        let signals = try ChangeSignals(
            fleetSettings(servers), name: "\(session.paths.hub)/signals"
        ) { error in
            logger.warning("changes of other processes are looked for, nobody tells of them: \(error.whatHappened)")
        }
        return HubSignals(tell: { signals.tell() }, areComing: { signals.areComing }) { await signals.hear($0) }
    }

    private static func local(
        _ order: ClipIntake.Order, _ config: Config, lanes: IntakeLanes, intake: Intake
    ) throws(AudioError) -> ClipIntake.Made {
        guard let goal = order.goal else { return try look(order, by: intake) }
        return try make(order, at: goal, config, lanes: lanes, intake: intake)
    }

    /// The longest clip. What a child may compute is enough for it several times over.
    static let longest = Duration.seconds(4 * 3600)

    private static func make(
        _ order: ClipIntake.Order, at goal: String, _ config: Config, lanes: IntakeLanes, intake: Intake
    ) throws(AudioError) -> ClipIntake.Made {
        let request = try request(order, config)
        let made = try lanes.make(Transcoding(request: request, keepsTags: false), path: goal)
        // The child may be a stranger's by now: what it says of the file is not asked.
        return try found(at: goal, receipt: text(made.clip.receipt, of: order), by: intake)
    }

    private static func request(_ order: ClipIntake.Order, _ config: Config) throws(AudioError) -> ClipRequest {
        var choices = ClipChoices.none
        choices.title = order.title
        var request = try choices.request(
            source: ClipSource(path: order.input, name: order.name, sha256: order.sha256), config: config,
            maximumLength: config.maxLength.value, maximumBytes: config.maxBytes.value)
        (request.policy.begin, request.policy.end) = (order.from.map(Self.instant), order.to.map(Self.instant))
        return request
    }

    /// An instant in a recording, to 10 ms, as clips are cut.
    private static func instant(_ seconds: Double) -> Duration {
        .milliseconds(10 * Int((min(max(seconds, 0), 1_000_000) * 100).rounded()))
    }

    /// Whether it is an MP3 that can be played to its end.
    private static func look(_ order: ClipIntake.Order, by intake: Intake) throws(AudioError) -> ClipIntake.Made {
        guard isMP3(order.input) else {
            throw .unsupported(name: order.name, reason: "only MP3 files are kept as they are")
        }
        _ = try intake.facts(of: order.input, name: order.name, longest: longest)
        return try found(at: order.input, receipt: nil, by: intake)
    }

    /// What the hub shows of a file.
    private static func found(
        at path: String, receipt: String?, by intake: Intake
    ) throws(AudioError) -> ClipIntake.Made {
        let sound = try ClipPicture.outline(try intake.reader(of: path, name: "clip", longest: longest))
        let digest: FileDigest
        do throws(FileError) { digest = try FileDigest.reading(path) } catch {
            throw .inputOutput(path: path, reason: .system(error.error))
        }
        return ClipIntake.Made(
            bytes: digest.bytes, sha256: digest.sha256, seconds: sound.seconds, peaks: sound.peaks, receipt: receipt)
    }

    /// Whether a file begins as MP3 files do: a frame of layer III, perhaps behind a tag (id3.org, ID3v2.4 section 3.1).
    private static func isMP3(_ path: String) -> Bool {
        guard let file = try? OpenFile(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return false }
        var head = [UInt8](repeating: 0, count: 10)
        func read(at offset: Int) -> Bool { pread(file.raw, &head, head.count, off_t(offset)) == head.count }
        guard read(at: 0) else { return false }
        if Array(head[..<3]) == Array("ID3".utf8) {
            let size = head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
            guard read(at: 10 + size + (head[5] & 0x10 == 0 ? 0 : 10)) else { return false }
        }
        return MP3FrameHeader(head.span) != nil
    }

    private static func text(_ made: Receipt, of order: ClipIntake.Order) -> String? {
        var receipt = made
        receipt.input.sha256 = order.sha256
        receipt.clip?.path = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return (try? encoder.encode(ReceiptDocument(receipt))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whose fault it is.
    private static func failure(_ error: AudioError, of order: ClipIntake.Order) -> ClipIntake.Failure {
        // Two children have died over it already where it is only looked at.
        if case .crashed = error, order.goal == nil { return .refused(error.whatHappened) }
        return error.ofClip
    }
}
