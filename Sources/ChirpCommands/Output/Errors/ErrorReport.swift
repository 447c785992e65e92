internal import ArgumentParser
package import ChirpCore
internal import Glibc

/// What a failed run says: two lines on standard error, what happened and what to do, and with `--json` the same as the
/// one document on standard output.
package struct ErrorReport: Encodable {
    package let v = 1
    package let event = "result"
    package let exit: Int32
    package let error: Words

    package struct Words: Encodable {
        package let whatHappened: String
        package let whatToDo: String
        /// Only when there is one.
        package var detail: String?

        package init(whatHappened: String, whatToDo: String, detail: String? = nil) {
            (self.whatHappened, self.whatToDo, self.detail) = (whatHappened, whatToDo, detail)
        }
    }

    package init(_ error: any Explained) {
        exit = error.exitCode.rawValue
        self.error = Words(
            whatHappened: error.whatHappened, whatToDo: error.whatToDo,
            detail: error.detail.isEmpty ? nil : error.detail)
    }

    /// A mistake on the command line, found by the parser.
    package init(usage message: String, command: [String]) {
        exit = ChirpCore.ExitCode.usage.rawValue
        let help = (command.isEmpty ? ["chirp"] : command) + ["--help"]
        error = Words(
            whatHappened: PlainText(message, limit: 500).value.droppingPrefix("Error: "),
            whatToDo: "Run: \(help.joined(separator: " "))")
    }

    /// Anything else is a bug.
    package init(unexpected error: any Error) {
        exit = ChirpCore.ExitCode.unexpected.rawValue
        self.error = Words(
            whatHappened: "unexpected failure: \(PlainText(String(describing: error), limit: 500))",
            whatToDo: "Please report this with what you did")
    }

    /// - Parameter verbose: shows the detail too.
    package func show(json: Bool, colored: Bool, verbose: Bool = false) {
        let mark = colored ? "\u{1B}[1;31mchirp:\u{1B}[0m" : "chirp:"
        var lines = "\(mark) \(PlainText(error.whatHappened))\n"
        if !error.whatToDo.isEmpty { lines += "       \(PlainText(error.whatToDo))\n" }
        if verbose, let detail = error.detail { lines += "       In detail: \(PlainText(detail))\n" }
        Terminal.tell(lines)
        if json, let document = try? Console.line(self) { try? Terminal.write(document + "\n") }
    }
}

extension String {
    fileprivate func droppingPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
