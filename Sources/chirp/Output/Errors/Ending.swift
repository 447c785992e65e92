import ChirpCore

/// Ends the run with a code after everything has been said.
struct Ending: Error {
    let code: ChirpCore.ExitCode
}
