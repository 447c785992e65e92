public import ChirpAudio
internal import ChirpClips
public import ChirpCore
public import ChirpJournal
public import ChirpNetworks
public import ChirpStores

/// Why a publication did not come to its end, by the seam that gave way.
public enum PublishFailure: Explained, Hashable {
    case audio(AudioError)
    case store(StoreError)
    case network(NetworkError)
    case journal(JournalError)
    /// The clip was not made yet, and the recording is not what or where it was.
    case recordingGone(name: String, reason: String)
    /// Another process is at it.
    case inProgress(id: String)
    /// A person has stopped it, and nobody has asked to go on.
    case stopped(id: String)
    /// Processes have died of it, so only a person goes on with it.
    case setAside(id: String)
    /// Stopped on purpose by fault injection; nothing was tidied up, as if the process had died.
    case halted(FaultPoint)

    /// Why a publication is set aside, as its row says it.
    static let diedTwice = "Chirp has ended unexpectedly twice while it worked on it"

    private var cause: (any Explained)? {
        switch self {
        case .audio(let error): error
        case .store(let error): error
        case .network(let error): error
        case .journal(let error): error
        case .recordingGone, .inProgress, .stopped, .setAside, .halted: nil
        }
    }

    public var whatHappened: String {
        switch self {
        case .recordingGone(let name, let reason):
            "the recording '\(PlainText(name, limit: 200))' cannot be published any more: \(reason)"
        case .inProgress(let id): "publication \(id) is being worked on by another process"
        case .stopped(let id): "publication \(id) was stopped by a person"
        case .setAside(let id): "publication \(id) is set aside: \(Self.diedTwice)"
        case .halted(let point): "stopped on purpose at '\(point.rawValue)'"
        default: cause?.whatHappened ?? ""
        }
    }

    public var cure: Cure {
        switch self {
        case .recordingGone: .advice("Publish it again from where it is now")
        case .inProgress: .both(.advice("Wait for it"), .look(at: .outbox))
        case .stopped(let id), .setAside(let id): .resume(publication: id)
        case .halted: .resume(publication: nil)
        default: cause?.cure ?? .none
        }
    }

    public var detail: String { cause?.detail ?? "" }

    public var exitCode: ExitCode {
        switch self {
        case .recordingGone: .missingInput
        case .inProgress, .stopped, .setAside, .halted: .temporary
        default: cause?.exitCode ?? .unexpected
        }
    }

    /// Whether the publication stays in the outbox, because a later attempt may succeed without a change of settings.
    ///
    /// A sign-in can be repaired by the user in a minute, so it does not end a publication.
    public var isKept: Bool {
        switch self {
        case .audio(.inputOutput), .audio(.cancelled), .store(.signedOut), .network(.signedOut): true
        case .audio, .recordingGone: false
        case .store(let error): !error.isPermanent
        case .network(let error): !error.isPermanent
        case .journal, .inProgress, .stopped, .setAside, .halted: true
        }
    }
}

extension Receipt {
    /// The receipt that a row holds.
    init(of record: PublicationRecord) throws(PublishFailure) {
        guard let receipt = JSONText.decode(Receipt.self, from: record.receipt) else {
            throw .journal(.corrupt(path: "publication \(record.id)", reason: "it holds no readable receipt"))
        }
        self = receipt
    }
}
