import ChirpCommands
import ChirpHub
import ChirpIntake
import Glibc

/// Where the process begins.
@main
enum Main {
    static func main() async {
        // A reader that has gone away is an error of write(2), which ends the run quietly after tidying up.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Before there is a second thread.
        IntakeChild.runIfAsked(by: arguments)
        await ProgramRun(Chirp.self, boards: { Boards.tables }).run(arguments)
    }
}
