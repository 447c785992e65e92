import ChirpAudio
import ChirpClips
import ChirpCommunity
import ChirpCore
import ChirpFiles
import ChirpFlows
import ChirpHub
import ChirpIntake
import ChirpMP3
import FoundationEssentials
import Glibc

// How the hub takes in what members send.
extension Wiring {
    /// Clips made as `publish` makes them, in children that hold nothing; at most two at once, since the machine serves meanwhile.
    func clipIntake() -> ClipIntake {
        let (lanes, intake, config) = (IntakeLanes(), intake, session.config)
        return ClipIntake(lanes: 2) { (order) async throws(ClipIntake.Failure) in
            do throws(AudioError) {
                return try await offPool { () throws(AudioError) in
                    guard let goal = order.goal else { return try Self.look(order, by: intake) }
                    return try Self.make(order, at: goal, config, lanes: lanes, intake: intake)
                }
            } catch {
                throw Self.failure(error, of: order)
            }
        }
    }

    /// The longest clip. What a child may compute is enough for it several times over.
    private static let longest = Duration.seconds(4 * 3600)

    private static func make(
        _ order: ClipIntake.Order, at goal: String, _ config: Config, lanes: IntakeLanes, intake: Intake
    ) throws(AudioError) -> ClipIntake.Made {
        var choices = ClipChoices()
        choices.title = order.title
        let request = try choices.request(
            source: ClipSource(path: order.input, name: order.name, sha256: order.sha256), config: config,
            maximumLength: config.maxLength.value, maximumBytes: config.maxBytes.value)
        let made = try lanes.make(Transcoding(request: request, keepsTags: false), path: goal)
        var receipt = made.clip.receipt
        receipt.input.sha256 = order.sha256
        receipt.clip?.path = nil
        // The child may be a stranger's by now: what it says of the file is not asked.
        return try found(at: goal, receipt: Self.text(receipt), by: intake)
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

    private static func text(_ receipt: Receipt) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return (try? encoder.encode(ReceiptDocument(receipt))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whose fault it is.
    private static func failure(_ error: AudioError, of order: ClipIntake.Order) -> ClipIntake.Failure {
        switch error {
        // Two children have died over it already where it is only looked at.
        case .crashed: order.goal == nil ? .refused(error.whatHappened) : .died
        case .undecodable, .nothingToHear, .unsupported, .settings, .programMissing: .refused(error.whatHappened)
        case .missing, .uncreatable, .inputOutput, .library, .cancelled: .notNow(error.whatHappened)
        }
    }
}
