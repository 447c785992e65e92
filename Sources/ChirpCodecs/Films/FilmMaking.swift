package import ChirpAudio
internal import ChirpCore
internal import Glibc

/// Makes what is shown of a film, or of sound alone, out of whatever a stranger has sent. To be done in a process of its own that holds nothing but
/// the descriptors named here.
package struct FilmMaking: Sendable {
    /// What was sent.
    package let source: Int32
    /// Regular files, open for reading and writing, empty. Whoever asks looks at what is in them before others see it. Of sound alone the last two
    /// stay empty.
    package let shown, sound, preview, poster: Int32
    /// The same as `shown`, without the timer; stays empty where that has none.
    package let plain: Int32
    /// Where in the film the timer begins, in ms; nil: there is none.
    package let timer: Int?
    /// For errors.
    package let name: String

    package init(
        source: Int32, shown: Int32, sound: Int32, preview: Int32, poster: Int32, plain: Int32, timer: Int?,
        name: String
    ) {
        self.source = source
        (self.shown, self.sound, self.preview, self.poster) = (shown, sound, preview, poster)
        (self.plain, self.timer, self.name) = (plain, timer, name)
    }

    /// Whether the programs for it are installed.
    package static var isPossible: Bool { FilmProgram.path(.ffmpeg) != nil && FilmProgram.path(.ffprobe) != nil }

    /// - Throws: `programMissing`, `undecodable` and `unsupported` with a reason for people, `crashed` when a program has ended over it or took
    ///   too long.
    package func run() throws(AudioError) -> FilmFacts {
        let found = try probe(source)
        guard let picture = found.picture else {
            if !found.hasPictures, let sound = found.sound { return try soundAlone(sound, in: found) }
            throw .undecodable(
                name: name,
                reason: found.hasPictures ? "its pictures are in a form that is not read here" : Self.unknown)
        }
        guard picture.pixels <= FilmRules.mostSourcePixels
        else {
            throw .unsupported(name: name, reason: "its pictures are larger than 4096 by 2304 points")
        }
        let longest = Double(FilmRules.longest.components.seconds)
        guard (found.length ?? 0) <= longest + 0.5 else { throw tooLong(FilmRules.longest) }
        let graph = FilmGraph(picture: picture, sound: found.sound, timer: timer)
        try make(graph.arguments, of: source, into: [shown, sound, plain])

        let made = try probe(shown)
        guard let copy = made.picture, let length = made.length else {
            throw .undecodable(name: name, reason: "there is no picture in it that can be read")
        }
        guard length <= longest + 0.5 else { throw tooLong(FilmRules.longest) }
        let begin = length > 8 ? length / 3 : 0
        try make(FilmGraph.cuts, of: shown, into: [preview, poster], from: begin)
        return FilmFacts(
            milliseconds: max(1, Int(length * 1000)), width: copy.width ?? 0, height: copy.height ?? 0,
            hasSound: made.sound?.hasLength == true, hasTimer: timer != nil && FilmGraph.hasFont)
    }

    /// Neither shortened nor levelled: what is heard is what was recorded.
    private func soundAlone(_ sound: FilmProbe.Stream, in found: FilmProbe) throws(AudioError) -> FilmFacts {
        let longest = Double(FilmRules.longestSound.components.seconds)
        guard (found.length ?? 0) <= longest + 0.5 else { throw tooLong(FilmRules.longestSound) }
        try make(FilmGraph.arguments(soundAlone: sound), of: source, into: [shown, self.sound])
        let made = try probe(shown)
        guard let length = made.length, made.sound?.hasLength == true else {
            throw .undecodable(name: name, reason: "there is no sound in it that can be read")
        }
        guard length <= longest + 0.5 else { throw tooLong(FilmRules.longestSound) }
        return FilmFacts(
            milliseconds: max(1, Int(length * 1000)), width: 0, height: 0, hasSound: true, hasTimer: false)
    }

    private static let unknown = "it is no video and no sound that is read here"

    private func tooLong(_ most: Duration) -> AudioError {
        .unsupported(name: name, reason: "it is longer than \(most.components.seconds) seconds")
    }

    private func probe(_ file: Int32) throws(AudioError) -> FilmProbe {
        let program = try FilmProgram(
            .ffprobe, ["-v", "quiet", "-of", "json", "-show_entries", FilmProbe.entries] + FilmProgram.input,
            reading: file, film: name, processorTime: FilmRules.patience)
        let said = try program.said(most: FilmProbe.mostBytes) { _ in FilmRules.patience }
        guard let probe = FilmProbe(said) else {
            throw .undecodable(name: name, reason: Self.unknown)
        }
        return probe
    }

    private func make(
        _ arguments: [String], of file: Int32, into goals: [Int32], from begin: Double = 0
    ) throws(AudioError) {
        var all = ["-nostdin", "-y", "-hide_banner", "-v", "quiet", "-progress", "pipe:1", "-stats_period", "0.5"]
        all += ["-threads", "2"]
        if begin > 0 { all += ["-ss", "\(begin)"] }
        all += FilmProgram.input
        all += arguments
        // Three minutes of the largest pictures; whoever takes the time of two processors for them is through sooner.
        let program = try FilmProgram(
            .ffmpeg, all, reading: file,
            writing: goals, film: name, processorTime: .seconds(1200))
        _ = try program.said(most: 4096) { said in
            FilmRules.patience + .seconds(FilmRules.patiencePerLength * Self.progress(said))
        }
    }

    /// How far it says to be, in seconds of the film: the last line `out_time_us=1234567`, or what its beginning lacks.
    static func progress(_ said: [UInt8]) -> Double {
        // The newest line may be there in part.
        let lines = said.prefix((said.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1).split(separator: UInt8(ascii: "\n"))
        let key = Array("out_time_us=".utf8)
        for line in lines.reversed() where line.starts(with: key) {
            guard let number = Double(String(decoding: line.dropFirst(key.count), as: UTF8.self)) else { continue }
            return min(max(number / 1_000_000, 0), FilmRules.longestSound / .seconds(1) + 1)
        }
        return 0
    }
}
