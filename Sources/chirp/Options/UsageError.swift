import ChirpCore

/// A command line that is well formed but cannot be carried out.
struct UsageError: Explained, Hashable {
    let whatHappened: String
    let whatToDo: String
    var cure: Cure { .advice(whatToDo) }
    var exitCode: ChirpCore.ExitCode { .usage }

    init(_ whatHappened: String, cure: String) {
        self.whatHappened = whatHappened
        whatToDo = cure
    }
}

/// Ends the run with a code after everything has been said.
struct Ending: Error {
    let code: ChirpCore.ExitCode
}
