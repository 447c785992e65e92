internal import ArgumentParser

/// Which part of a recording is kept, where the person says it; the same in every command that makes a clip of one recording.
package struct PartOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Where the clip begins, such as 0:02.", valueName: "time"),
        transform: { try TimeInRecording($0) })
    var begin: TimeInRecording?

    @Option(
        name: .long, help: ArgumentHelp("Where it ends, such as 0:30.", valueName: "time"),
        transform: { try TimeInRecording($0) })
    var end: TimeInRecording?

    package init() {}

    package func validate() throws {
        guard let end else { return }
        guard end.duration > begin?.duration ?? .zero else {
            throw ValidationError("--begin must be before --end: there is nothing between them.")
        }
    }

    package func apply(to clip: inout ClipChoices) { (clip.begin, clip.end) = (begin, end) }
}
