import ChirpCommands
import ChirpCommunity
import Glibc

/// Where the process begins.
@main
enum Main {
    static func main() async {
        // A reader that has gone away is an error of write(2), which ends the run quietly after tidying up.
        signal(SIGPIPE, SIG_IGN)
        await ProgramRun(FirstRun.self, boards: { [.absent] }, missing: NotBuiltError.init).run(
            Array(CommandLine.arguments.dropFirst()))
    }
}
