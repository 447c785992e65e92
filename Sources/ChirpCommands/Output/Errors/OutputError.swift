package import ChirpCore

/// Why an answer could not be written to standard output.
package enum OutputError: Explained, Hashable {
    /// The program that was reading has ended; this is how `| head -1` works, and no failure to speak of.
    case closed
    case failed(reason: String)

    package var whatHappened: String {
        switch self {
        case .closed: "standard output was closed"
        case .failed(let reason): "standard output cannot be written: \(reason)"
        }
    }

    package var cure: Cure {
        switch self {
        case .closed: .none
        case .failed: .advice("Check the free space of where it goes to")
        }
    }

    package var exitCode: ChirpCore.ExitCode { .inputOutput }
}
