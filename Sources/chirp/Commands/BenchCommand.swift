import ArgumentParser

/// `chirp bench`: how fast this machine is.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "How fast this machine is.",
        discussion: """
            EXAMPLES:
              chirp bench encode                         a clip beside its encoder alone
              chirp bench latency                        from a post to its sound
              chirp bench encode --json | jq .rows
            """,
        subcommands: [BenchEncodeCommand.self, BenchLatencyCommand.self])
}
