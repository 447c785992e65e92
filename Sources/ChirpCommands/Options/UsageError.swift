package import ChirpCore

/// A command line that is well formed but cannot be carried out.
package struct UsageError: Explained, Hashable {
    package let whatHappened: String
    package let whatToDo: String
    package var cure: Cure { .advice(whatToDo) }
    package var exitCode: ChirpCore.ExitCode { .usage }

    package init(_ whatHappened: String, cure: String) {
        self.whatHappened = whatHappened
        whatToDo = cure
    }
}

/// Ends the run with a code after everything has been said.
package struct Ending: Error {
    let code: ChirpCore.ExitCode

    package init(code: ChirpCore.ExitCode) { self.code = code }
}
