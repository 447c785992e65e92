import ArgumentParser
import ChirpCore
import FoundationEssentials

/// `chirp manual`: writes the man pages; `make install` calls it.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Writes the man pages into a folder.",
        shouldDisplay: false)

    @Option(name: .long, help: "An existing folder.", completion: .directory)
    var directory: String

    func run() throws {
        let tool = try JSONDecoder().decode(CommandFacts.Tool.self, from: Data(Chirp._dumpHelp().utf8))
        for page in ManualPage.all(of: tool.command) {
            let path = "\(directory)/\(page.name).1"
            do {
                try Data(page.text.utf8).write(to: URL(filePath: path))
            } catch {
                throw ManualError(path: path)
            }
        }
    }
}

/// A page that could not be written.
private struct ManualError: Explained {
    let path: String
    var whatHappened: String { "cannot create '\(PlainText(path))'" }
    var cure: Cure { .advice("Check that the folder exists and is writable") }
    var exitCode: ChirpCore.ExitCode { .cannotCreateOutput }
}
