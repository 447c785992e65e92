import Foundation
import Testing

@Suite struct EncodeTests {
    static let receiptFields: [String: Set<String>] = [
        "input": ["name", "sha256", "seconds", "sampleRate", "channels", "format"],
        "trim": ["headSeconds", "tailSeconds", "capped"],
        "level": ["method", "beforeLUFS", "gainDB", "limitedDB", "afterLUFS", "truePeakDBTP"],
        "clip": [
            "path", "bytes", "predictedBytes", "sha256", "seconds", "frames", "sampleRate", "channels", "bitrateKbps",
            "preset",
        ],
        "timings": ["read", "analyse", "render", "verify", "upload", "post", "total"],
    ]

    @Test func `the receipt has exactly the agreed fields and tells the truth about the file`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 2, margin: 0.5)), to: "take.wav")
        let outcome = try await home.run("encode", "take.wav", "-o", "clip.mp3", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.count == 1)
        let receipt = try outcome.json()
        #expect(
            Set(receipt.keys) == [
                "v", "event", "exit", "input", "trim", "level", "clip", "store", "network", "shareText", "timings",
                "notes",
            ])
        for (part, fields) in Self.receiptFields {
            #expect(Set(try #require(receipt[part] as? [String: Any]).keys) == fields)
        }
        #expect(receipt["store"] is NSNull)
        let clip = try #require(receipt["clip"] as? [String: Any])
        let size = try Data(contentsOf: URL(filePath: home.path("clip.mp3"))).count
        #expect(clip["bytes"] as? Int == size)
        #expect(clip["predictedBytes"] as? Int == size)
        #expect(clip["path"] as? String == "clip.mp3")
        #expect((receipt["input"] as? [String: Any])?["name"] as? String == "take.wav")
    }

    @Test func `without json nothing goes to standard output, and quiet says nothing at all`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let spoken = try await home.run("encode", "take.wav", "-o", "clip.mp3")
        #expect(spoken.status == 0)
        #expect(spoken.output.isEmpty)
        #expect(spoken.errors.contains("clip.mp3"))
        let quiet = try await home.run("encode", "take.wav", "-o", "clip.mp3", "-q")
        #expect(quiet.status == 0)
        #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
        #expect(!spoken.errors.contains("\u{1B}"))
    }

    /// Lines that are read without the parser, and the same in a manner that only the parser understands.
    @Test(arguments: [
        ("take.wav -o OUT --json", "take.wav --output=OUT --json"),
        (
            "take.wav -o OUT --json --preset music --bitrate 96 --jobs 1",
            "take.wav -o=OUT --json --preset=music --bitrate=96 --jobs=1"
        ),
        (
            "--json --no-trim --no-normalise --no-verify --output OUT take.wav",
            "--json --no-trim --no-normalise --no-verify --output=OUT take.wav"
        ),
        (
            "take.wav -o OUT --json --title Harbour --keep-tags --progress plain",
            "take.wav -o OUT --json --title=Harbour --keep-tags --progress=plain"
        ),
        ("take.wav -v -o OUT --json --trim --verify", "take.wav -vo OUT --json --trim --verify"),
    ])
    func `a plain line is read as the parser reads it`(plain: String, parsed: String) async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1, margin: 0.3)), to: "take.wav")
        func run(_ line: String, to name: String) async throws -> (bytes: Data, receipt: [String: Any]) {
            let words = ["encode"] + line.replacing("OUT", with: name).split(separator: " ").map(String.init)
            let outcome = try await home.start(words).outcome()
            #expect(outcome.status == 0, "\(words): \(outcome.errors)")
            var receipt = try outcome.json()
            receipt["timings"] = nil
            (receipt["clip"] as? [String: Any]).map { clip in
                var clip = clip
                clip["path"] = nil
                receipt["clip"] = clip
            }
            return (try Data(contentsOf: URL(filePath: home.path(name))), receipt)
        }
        let one = try await run(plain, to: "a.mp3")
        let other = try await run(parsed, to: "b.mp3")
        #expect(one.bytes == other.bytes)
        #expect(NSDictionary(dictionary: one.receipt) == NSDictionary(dictionary: other.receipt))
    }

    @Test(arguments: [
        "take.wav", "-o clip.mp3", "take.wav other.wav -o clip.mp3", "take.wav -o clip.mp3 --jobs 0",
        "take.wav -o clip.mp3 --jobs",
        "take.wav -o clip.mp3 --preset loud", "take.wav -o clip.mp3 --bitrate 1e3", "take.wav -o - --json",

        "take.wav -o clip.mp3 --loud", "take.wav -o --json",
    ])
    func `a mistake in a plain line is told as the parser tells it`(line: String) async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let outcome = try await home.start(["encode"] + line.split(separator: " ").map(String.init)).outcome()
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains("--help"))
        #expect(!FileManager.default.fileExists(atPath: home.path("clip.mp3")))
    }

    @Test func `a pipe and a file give the same clip, and options may follow arguments`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1.5)), to: "take.wav")
        let outcome = try await home.shell(
            """
            chirp encode take.wav -o file.mp3 --preset tiny -q
            cat take.wav | chirp encode -q --preset tiny -o - - > pipe.mp3
            cat take.wav | chirp encode - -q --preset tiny -o - | cmp - pipe.mp3
            cmp file.mp3 pipe.mp3
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.isEmpty)
        #expect(home.files(in: "tmp").isEmpty)
    }

    /// W-7: what other programs write into a pipe, with sizes that are not true.
    @Test(arguments: [
        "ffmpeg -v error -i take.wav -f wav -", "sox take.wav -t wav -", "cat zero.wav", "cat ones.wav",
        "cat half.wav",
    ])
    func `a recording from another program's pipe is read whole`(source: String) async throws {
        let home = try Household()
        let samples = Recording.voice(seconds: 1.25)
        try home.write(Recording.wav(samples), to: "take.wav")
        try home.write(Recording.wav(samples, sizes: .streaming(0)), to: "zero.wav")
        try home.write(Recording.wav(samples, sizes: .streaming(0xFFFF_FFFF)), to: "ones.wav")
        try home.write(Recording.wav(samples, sizes: .streaming(0x7FFF_FFDB)), to: "half.wav")
        let outcome = try await home.shell("\(source) | chirp encode - -o clip.mp3 --no-trim --json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let input = try #require(try outcome.json()["input"] as? [String: Any])
        #expect(input["seconds"] as? Double == 1.25)
        #expect(input["name"] as? String == "standard input")
    }

    @Test func `a reader that goes away ends the run quietly`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 20)), to: "take.wav")
        let outcome = try await home.shell(
            "set +o pipefail; chirp encode take.wav -o - --preset music -q | head -c 100 >/dev/null; echo ${PIPESTATUS[0]}"
        )
        #expect(["0", "141"].contains(outcome.lines.first))
        #expect(outcome.errors.isEmpty)
        #expect(home.files(in: "tmp").isEmpty)
    }

    @Test func `the input is never overwritten`() async throws {
        let home = try Household()
        let wav = Recording.wav(Recording.voice(seconds: 1))
        try home.write(wav, to: "take.wav")
        let outcome = try await home.run("encode", "take.wav", "-o", "./take.wav")
        #expect(outcome.status == 64)
        #expect(try Data(contentsOf: URL(filePath: home.path("take.wav"))) == Data(wav))
    }

    @Test func `without verifying nothing is claimed that was not measured`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let outcome = try await home.run("encode", "take.wav", "-o", "clip.mp3", "--json", "--no-verify")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let receipt = try outcome.json()
        let level = try #require(receipt["level"] as? [String: Any])
        #expect(level["afterLUFS"] is NSNull && level["truePeakDBTP"] is NSNull)
        #expect((receipt["timings"] as? [String: Any])?["verify"] is NSNull)
        let codes = (receipt["notes"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
        #expect(codes?.contains("not-verified") == true)
    }

    @Test func `plain progress is a line per step`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let outcome = try await home.run("encode", "take.wav", "-o", "clip.mp3", "--progress", "plain")
        #expect(outcome.errors.contains("analyse ...\n"))
        #expect(outcome.errors.contains("render ...\n"))
        #expect(!outcome.errors.contains("\r"))
    }

    @Test func `no level, size or length is lost on the way from flags to the encoder`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 4)), to: "take.wav")
        let outcome = try await home.run(
            "encode", "take.wav", "-o", "clip.mp3", "--json", "--target", "-23", "--max-length", "2s", "--max-bytes",
            "12k", "--no-trim", "--title", "A\u{1B}[31m\u{202E}title\nin two lines")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let receipt = try outcome.json()
        let clip = try #require(receipt["clip"] as? [String: Any])
        #expect(try #require(clip["bytes"] as? Int) <= 12000)
        #expect(try #require(clip["seconds"] as? Double) <= 2.0)
        #expect((receipt["trim"] as? [String: Any])?["capped"] as? Bool == true)
        let level = try #require((receipt["level"] as? [String: Any])?["afterLUFS"] as? Double)
        #expect(abs(level + 23) <= 0.3)
        let tags = try await home.shell("ffprobe -v error -show_entries format_tags=title -of csv=p=0 clip.mp3")
        #expect(tags.text == "A[31mtitle in two lines\n")
    }

    /// Of a FLAC with tags and a large PNG cover, read back by mutagen.
    @Test func `tags are kept when that is wished, and only those five`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let outcome = try await home.shell(
            """
            set -e
            ffmpeg -v error -f lavfi -i testsrc2=size=1600x1200,noise=alls=30 -frames:v 1 cover.png
            ffmpeg -v error -i take.wav -i cover.png -map 0 -map 1 -disposition:v attached_pic -metadata title=Grüße \
                -metadata artist=Ann -metadata album=Días -metadata comment=hello -metadata encoded_by=secret take.flac
            chirp encode take.flac -o bare.mp3 -q
            chirp encode take.flac -o kept.mp3 -q --keep-tags --title mine
            cat > read.py <<'END'
            import sys
            from mutagen.id3 import ID3, ID3NoHeaderError
            for path in sys.argv[1:]:
                try: tag = ID3(path)
                except ID3NoHeaderError: print("none"); continue
                print(sorted(tag.keys()))
                print(tag["TIT2"], tag["TPE1"], tag["TALB"], tag.getall("COMM")[0])
                cover = tag.getall("APIC")[0]
                print(cover.mime, len(cover.data) <= 100000)
            END
            /usr/bin/python3 read.py bare.mp3 kept.mp3
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.lines == [
                "none", "['APIC:', 'COMM::XXX', 'TALB', 'TIT2', 'TPE1']", "mine Ann Días hello", "image/jpeg True",
            ], "\(outcome.lines)")
    }
}
