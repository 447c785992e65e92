internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import ChirpFrame
internal import ChirpHTTP
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Sound that comes to frames and goes from them. It is decoded where that can do no harm (``ClipIntake``), never here.
final class FrameSounds: Sendable {
    private let library: HubLibrary
    private let intake: ClipIntake
    private let transport: any HTTPTransport
    private let publicURL: String
    private let quota: ByteCount
    /// What new accounts may post.
    private let policy: PostingPolicy
    private let allowsPlain: Bool
    /// The last few: players ask for one sound in several parts.
    private let made = Mutex<[(name: String, bytes: [UInt8])]>([])

    /// A clip of another network may have.
    private static let mostBytes: Int64 = 40_000_000
    private static let kept = 4

    init(
        _ library: HubLibrary, _ intake: ClipIntake, _ transport: any HTTPTransport, publicURL: String,
        quota: ByteCount, policy: PostingPolicy, allowsPlain: Bool
    ) {
        self.library = library
        self.intake = intake
        self.transport = transport
        self.publicURL = publicURL
        self.quota = quota
        self.policy = policy
        self.allowsPlain = allowsPlain
    }

    /// Fetches sound from another network and makes a clip of it.
    @Sendable func fetched(_ address: String, name: String) async throws(FrameDesk.Refusal) -> [UInt8] {
        if let known = made.withLock({ $0.first { $0.name == name }?.bytes }) { return known }
        guard let place = WebAddress(address), place.isSecure || allowsPlain else {
            throw FrameDesk.Refusal("it lies at no address that is asked")
        }
        let input = scratch()
        defer { unlink(input) }
        do throws(HTTPError) {
            let response = try await transport.send(
                HTTPRequest(.get, place, sink: .file(path: input, offset: 0, limit: Self.mostBytes)))
            guard response.isSuccess else {
                throw HTTPError.unreachable(host: place.host, reason: "\(response.status)")
            }
        } catch {
            throw FrameDesk.Refusal(error.whatHappened)
        }
        let goal = scratch()
        defer { unlink(goal) }
        let bytes = try await clip(of: input, name: name, goal: goal)
        made.withLock { made in
            made.append((name, bytes))
            if made.count > Self.kept { made.removeFirst() }
        }
        return bytes
    }

    /// Makes a clip of what was spoken at a frame, and posts it to the person whom that shows: once, whatever is repeated with its key.
    @Sendable func answered(
        _ sound: [UInt8], key: String, from account: AccountID, to person: AccountID
    ) async throws -> String {
        let reader = library.seen(by: .member(account))
        guard let receiver = try await reader.people(.these([person]), limit: 1).first else {
            throw FrameDesk.Refusal("nobody is there to hear it")
        }
        let room = try await library.room(of: account, quota: quota)
        guard room.free.bytes > 0 else { throw FrameDesk.Refusal("the account has no room left") }
        let (input, id) = (scratch(), HubID())
        defer { unlink(input) }
        try AtomicFile.write(sound, to: input)
        let made = try await make(input, name: "answer", goal: library.media.file(id))
        var clip = HubClip(
            id: id, title: "", fileName: "answer.mp3", contentType: "audio/mpeg", bytes: made.bytes,
            sha256: made.sha256, sound: HubSound(seconds: made.seconds, peaks: made.peaks), created: library.now(),
            expires: nil, shared: false)
        clip.owner = account
        var draft = PostDraft(
            author: account, text: "@\(receiver.author.handle) \(publicURL)/c/\(id)", link: "\(publicURL)/c/\(id)",
            key: key)
        draft.clip = id
        draft.visibility = .direct
        // Without a row the file is swept.
        let post: HubPost?
        do throws(PostingRefusal) { post = try await library.answer(draft, with: clip, under: policy) } catch {
            throw error.problem
        }
        guard let post else { throw FrameDesk.Refusal("there is no room for it") }
        return post.id
    }

    /// Has text read aloud, and makes of that what clips are, so that it is as loud as they are.
    func spoken(
        _ text: String, in languages: [String], by speech: FrameSpeech
    ) async throws(FrameDesk.Refusal) -> [UInt8] {
        let (input, goal) = (scratch(), scratch())
        defer {
            unlink(input)
            unlink(goal)
        }
        let sound: [UInt8]
        do throws(FrameSpeech.Refusal) { sound = try await speech.say(text, languages) } catch {
            throw FrameDesk.Refusal(error.reason)
        }
        do { try AtomicFile.write(sound, to: input) } catch { throw FrameDesk.Refusal("there is no room for it") }
        return try await clip(of: input, name: "speech", goal: goal)
    }

    /// Makes a clip of what was spoken at a frame, for another network.
    @Sendable func trimmed(_ sound: [UInt8]) async throws(FrameDesk.Refusal) -> [UInt8] {
        let (input, goal) = (scratch(), scratch())
        defer {
            unlink(input)
            unlink(goal)
        }
        do { try AtomicFile.write(sound, to: input) } catch { throw FrameDesk.Refusal("there is no room for it") }
        return try await clip(of: input, name: "answer", goal: goal)
    }

    /// Makes a clip that is not kept.
    private func clip(of input: String, name: String, goal: String) async throws(FrameDesk.Refusal) -> [UInt8] {
        _ = try await make(input, name: name, goal: goal)
        guard let data = FileManager.default.contents(atPath: goal) else {
            throw FrameDesk.Refusal("what was made is not there")
        }
        return Array(data)
    }

    private func make(
        _ input: String, name: String, goal: String
    ) async throws(FrameDesk.Refusal) -> ClipIntake.Made {
        do {
            let digest = try FileDigest.reading(input)
            return try await intake.make(
                ClipIntake.Order(
                    id: HubID().text, input: input, name: name, title: "", sha256: digest.sha256, goal: goal))
        } catch let failure as ClipIntake.Failure {
            switch failure {
            case .refused(let why), .notNow(let why), .unable(let why): throw FrameDesk.Refusal(why)
            case .died: throw FrameDesk.Refusal("it cannot be read")
            }
        } catch {
            throw FrameDesk.Refusal("it cannot be read")
        }
    }

    private func scratch() -> String { library.uploads.file(HubID()) }
}

/// Reads text aloud by a program of this machine. The hub starts none itself: who does is decided where it is put together.
public struct FrameSpeech: Sendable {
    /// Why nothing is said; a sentence without its full stop.
    public struct Refusal: Error, Hashable {
        public let reason: String
        public init(_ reason: String) { self.reason = reason }
    }

    /// Gives a WAV of text in the first of some languages (BCP 47) that there is a voice for. Its loudness is as it comes.
    public typealias Saying =
        @Sendable (_ text: String, _ languages: [String]) async throws(Refusal) -> [UInt8]

    let say: Saying

    public init(_ say: @escaping Saying) { self.say = say }
}
