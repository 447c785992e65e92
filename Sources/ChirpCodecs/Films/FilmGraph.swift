internal import Glibc

/// What `ffmpeg` is told to do with pictures and sound: its filters and its encoders.
struct FilmGraph {
    /// Where it is, no timer is burnt in without it. Digits of one width do not jump.
    static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf"
    static var hasFont: Bool { access(font, R_OK) == 0 }

    let picture: FilmProbe.Stream
    let sound: FilmProbe.Stream?
    /// Where in the film the timer begins, in ms; nil: there is none.
    let timer: Int?

    /// Nothing of the source but pictures and sound goes into any file, and nothing about this program either.
    static let plain = ["-map_metadata", "-1", "-map_chapters", "-1", "-sn", "-dn", "-fflags", "+bitexact"]
    /// The head of the file comes before the rest, so that it plays while it is loaded.
    static let film = ["-movflags", "+faststart", "-f", "mp4"]
    /// Remarks in the stream, such as captions and the encoder's name, are left out (SEI, ITU-T H.264, annex D).
    static func pictures(crf: Int, rate: String, buffer: String) -> [String] {
        [
            "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-pix_fmt", "yuv420p", "-crf", "\(crf)",
            "-maxrate", rate, "-bufsize", buffer, "-g", "60", "-threads", "2", "-flags:v", "+bitexact", "-a53cc", "0",
            "-bsf:v", "filter_units=remove_types=6",
        ]
    }

    /// One second more than there may be, so that what is too long is seen to be.
    private static let end = "\(FilmRules.longest.components.seconds + 1)"

    /// Whether the shown copy has a timer, and there is another one without.
    private var isTimed: Bool { timer != nil && Self.hasFont }

    /// Of the source: the shown copy as output 0, what is heard in it as output 1, and with a timer the same without it as output 2.
    var arguments: [String] {
        let heard = sound.map { [Self.heard($0, copies: isTimed ? 3 : 2)] } ?? []
        var arguments = ["-filter_complex", ([shown] + heard).joined(separator: ";")] + copy("v", "a", to: 0)
        if isTimed { arguments += copy("w", "b", to: 2) }
        if sound != nil {
            arguments += ["-map", "[s]"] + Self.plain + ["-c:a", "flac", "-flags:a", "+bitexact", "-t", Self.end]
            arguments += ["-f", "flac", FilmProgram.output(1)]
        }
        return arguments
    }

    /// Of sound alone: the shown copy as output 0, and what is heard in it as output 1.
    static func arguments(soundAlone sound: FilmProbe.Stream) -> [String] {
        let end = "\(FilmRules.longestSound.components.seconds + 1)"
        var arguments = ["-filter_complex", heard(sound, copies: 2), "-map", "[a]"] + plain
        arguments += ["-c:a", "aac", "-b:a", "128k", "-flags:a", "+bitexact", "-t", end] + film
        arguments += [FilmProgram.output(0), "-map", "[s]"] + plain
        return arguments + ["-c:a", "flac", "-flags:a", "+bitexact", "-t", end, "-f", "flac", FilmProgram.output(1)]
    }

    private func copy(_ pictures: String, _ heard: String, to output: Int) -> [String] {
        var arguments = ["-map", "[\(pictures)]"] + (sound == nil ? [] : ["-map", "[\(heard)]"]) + Self.plain
        arguments += Self.pictures(crf: 23, rate: "4M", buffer: "8M")
        if sound != nil { arguments += ["-c:a", "aac", "-b:a", "96k", "-flags:a", "+bitexact"] }
        return arguments + ["-t", Self.end] + Self.film + [FilmProgram.output(output)]
    }

    /// Pictures at an even rate, upright, of the size that is shown whatever comes, and the timer over them.
    private var shown: String {
        let (width, height) = picture.shownSize
        var filters = ["fps=\(picture.shownRate)"]
        if picture.isSquare {
            // A phone that is turned while it records changes the size.
            filters.append("scale=\(width):\(height):force_original_aspect_ratio=decrease")
            filters.append("pad=\(width):\(height):-1:-1")
        } else {
            filters.append("scale=\(width):\(height)")
        }
        filters.append("setsar=1")
        if let timer, isTimed {
            // One way out of the fork is the copy without the timer.
            let start = Double(timer) / 1000
            let size = max(10, min(width, height) / 14)
            filters.append(
                "split[w][u];[u]drawtext=fontfile=\(Self.font):text='%{pts\\:hms\\:\(-start)}':fontsize=\(size):fontcolor=white"
                    + ":box=1:boxcolor=black@0.6:boxborderw=\(size / 4):x=\(size / 2):y=\(size / 2):enable='gte(t,\(start))'"
            )
        }
        return "[0:\(picture.index)]\(filters.joined(separator: ","))[v]"
    }

    /// Sound beside the pictures from the beginning on, with silence where the film has none, never stretched, at its own rate.
    private static func heard(_ sound: FilmProbe.Stream, copies: Int) -> String {
        let rate = (8000...48_000).contains(sound.rate) ? sound.rate : 48_000
        let layout = sound.channels == 1 ? "mono" : "stereo"
        return "[0:\(sound.index)]aresample=async=1:first_pts=0,aformat=sample_fmts=s16:sample_rates=\(rate)"
            + ":channel_layouts=\(layout),asplit=\(copies)[a][s]\(copies == 3 ? "[b]" : "")"
    }

    /// Of the shown copy: the preview as output 0, and the poster as output 1.
    static var cuts: [String] {
        func within(_ side: Int) -> String {
            "scale='min(\(side),iw)':'min(\(side),ih)':force_original_aspect_ratio=decrease:force_divisible_by=2"
        }
        let graph = "[0:v]split[p][q];[p]fps=24,\(within(480))[v];[q]thumbnail=24,\(within(FilmRules.posterSide))[j]"
        // Four seconds at the highest rate and a buffer in front of them are 360 kB.
        var arguments = ["-filter_complex", graph, "-map", "[v]"] + plain
        arguments += pictures(crf: 27, rate: "640k", buffer: "320k")
        arguments += ["-t", "\(FilmRules.previewLength.components.seconds)"] + film + [FilmProgram.output(0)]
        arguments +=
            ["-map", "[j]"] + plain + ["-c:v", "mjpeg", "-q:v", "5", "-flags:v", "+bitexact", "-frames:v", "1"]
        return arguments + ["-f", "mjpeg", FilmProgram.output(1)]
    }
}
