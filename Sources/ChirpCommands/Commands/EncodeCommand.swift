package import ArgumentParser
internal import ChirpClips

/// `chirp encode`: the same audio path as `publish`, to a file or a pipe.
package struct EncodeCommand: AsyncParsableCommand {
    package static let name = "encode"

    package static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "A recording as an MP3 file, published nowhere.",
        discussion: """
            EXAMPLES:
              chirp encode take.wav -o clip.mp3
              chirp encode concert.flac -o concert.mp3 --preset music
              arecord -d 10 | chirp encode - -o - > clip.mp3
              chirp encode take.wav -o clip.mp3 --begin 0:02 --end 0:30
              chirp encode talk.wav -o talk.mp3 --max-bytes 5MB --json | jq .clip

            Silence at the ends is removed and the loudness brought to -16 LUFS, with no true peak above -1 dBTP. There is \
            no limit of length unless --max-length is given. The file appears when it is whole and checked.
            """)

    @Argument(help: "A sound file, or - for standard input.", completion: .file())
    var input: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The MP3 file, or - for standard output.", valueName: "out"),
        completion: .file(extensions: ["mp3"]))
    var output: String

    @Flag(name: .long, help: "Keep title, artist, album, comment and cover of the recording.")
    var keepTags = false

    @OptionGroup var part: PartOptions
    @OptionGroup(title: "CLIP") var clip: ClipOptions
    @OptionGroup(title: "GENERAL") var common: CommonOptions

    package init() {}

    package func validate() throws {
        guard output == "-" else { return }
        if common.json {
            throw ValidationError("--json and -o - both want standard output; write the clip to a file.")
        }
    }

    package func run() async throws {
        var line = EncodeLine(
            input: input, output: output, keepsTags: keepTags, clip: clip.choices, common: common.choices)
        part.apply(to: &line.clip)
        try await line.run()
    }
}
