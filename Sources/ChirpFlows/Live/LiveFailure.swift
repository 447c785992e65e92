public import ChirpCore
public import ChirpJournal

/// Why live listening cannot begin or go on.
public enum LiveFailure: Explained, Hashable {
    case nobodyChosen
    case unknownAccount(String, known: [String])
    /// Another process of this user is listening.
    case alreadyListening
    case journal(JournalError)
    case cache(path: String, reason: String)
    /// A clip that was asked for cannot be had, or is none.
    case notBrought(clip: PlayID, reason: String)
    /// The loudspeaker stayed away. What was not heard is kept for the next time.
    case loudspeaker(reason: String)

    public var whatHappened: String {
        switch self {
        case .nobodyChosen: "nobody was chosen to listen to"
        case .unknownAccount(let name, _): "you follow nobody called '\(PlainText(name, limit: 60))'"
        case .alreadyListening: "another process of yours is listening already"
        case .journal(let error): error.whatHappened
        case .cache(let path, let reason):
            "the folder of fetched clips '\(PlainText(path, limit: 200))' failed: \(PlainText(reason, limit: 200))"
        case .notBrought(let clip, let reason): "clip \(clip) cannot be played: \(PlainText(reason, limit: 300))"
        case .loudspeaker(let reason): "the loudspeaker cannot be used: \(PlainText(reason, limit: 300))"
        }
    }

    public var cure: Cure {
        switch self {
        case .nobodyChosen: .both(.set(.accounts), .look(at: .accounts))
        case .unknownAccount(_, let known) where known.isEmpty: .look(at: .accounts)
        case .unknownAccount(_, let known):
            .both(
                .advice(
                    "Did you mean \(known.prefix(5).map { "@\(PlainText($0, limit: 60))" }.joined(separator: ", "))?"),
                .look(at: .accounts))
        case .alreadyListening: .advice("End it first, or change its accounts and window by its keys")
        case .journal(let error): error.cure
        case .cache: .advice("Check the free space and the permissions of the folder")
        case .notBrought: .both(.advice("Its author may have removed it"), .look(at: .played))
        case .loudspeaker: .both(.look(at: .soundDevices), .advice("Then run it again, and nothing is lost"))
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .nobodyChosen, .unknownAccount: .usage
        case .alreadyListening: .temporary
        case .journal(let error): error.exitCode
        case .cache: .inputOutput
        case .loudspeaker, .notBrought: .refused
        }
    }
}
