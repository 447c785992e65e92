/// One run of one command: its surroundings, settings and manner of speaking.
struct Session: Sendable {
    let environment: [String: String]
    let paths: Paths
    var config: Config
    let console: Console
}
