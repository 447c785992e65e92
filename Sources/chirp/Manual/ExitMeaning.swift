import ChirpCore

/// What each exit code means, in words for the manual.
struct ExitMeaning {
    let code: ChirpCore.ExitCode
    let meaning: String

    static let all = ChirpCore.ExitCode.allCases.map { ExitMeaning(code: $0, meaning: words($0)) }

    private static func words(_ code: ChirpCore.ExitCode) -> String {
        switch code {
        case .done: "Done."
        case .unexpected: "Unexpected failure: a bug, please report it."
        case .partial: "Partly done: some of several items failed and are listed."
        case .noRoom: "No room in the store, or the budget of the network would be exceeded; nothing was sent."
        case .usage: "Wrong usage."
        case .badInput: "The input cannot be decoded, or holds no audio."
        case .missingInput: "The input is missing or unreadable."
        case .refused: "A service refused for good."
        case .cannotCreateOutput: "The output cannot be created."
        case .inputOutput: "Reading or writing failed."
        case .temporary: "Temporary failure; kept in the outbox: chirp outbox resume."
        case .signInNeeded: "Sign-in is missing, expired or revoked."
        case .badConfiguration: "The configuration is wrong."
        case .interrupted: "Interrupted; what was begun is in the journal."
        }
    }
}
