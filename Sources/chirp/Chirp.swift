import ArgumentParser
import ChirpCommands

/// The program: sound into posts, posts into sound.
struct Chirp: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chirp",
        abstract: "Sound into posts: a recording in, a link out.",
        discussion: """
            EXAMPLES:
              chirp publish take.wav                      a link, and a text to share
              cat take.wav | chirp publish - | tail -1    the link alone
              chirp record --publish                      the microphone instead of a file
              chirp encode take.wav -o clip.mp3           the clip, published nowhere
              chirp live --from @alice --for 2h           listen to others
              chirp batch recordings clips                a folder of them
              chirp inspect clip.mp3                      how loud it is, and what is in it
              chirp serve                                 the pages of published clips
            """,
        version: Program.version,
        subcommands: [
            PublishCommand.self, EncodeCommand.self, BatchCommand.self, WorkerCommand.self, InspectCommand.self,
            RecordCommand.self,
            TakesCommand.self,
            LiveCommand.self, ReplayCommand.self, AccountsCommand.self, DevicesCommand.self, OutboxCommand.self,
            SweepCommand.self, ServeCommand.self, HubCommand.self, BoardCommand.self, FrameCommand.self,
            LoginCommand.self,
            LogoutCommand.self,
            DoctorCommand.self,
            BenchCommand.self, ConfigCommand.self,
            ManualCommand.self,
        ])
}
