import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpIntake
import ChirpTestKit
import Foundation
import Testing

extension IntakeTests {
    /// Films of strangers, made into what is shown of them by children (boards.md 5.1.11; OU-5, OU-10, OU-14).
    @Suite struct FilmTests {
        private let intake = Intake(program: BuiltProgram.path)
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2"]
        private static let sound = ["-f", "lavfi", "-i", "sine=f=440:r=44100:d=2"]
        private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]

        /// A film of two seconds, or what the arguments say.
        @discardableResult
        private func source(_ name: String, _ arguments: [String]) throws -> String {
            let made = try ExternalProgram("ffmpeg").run(
                ["-v", "error", "-nostdin", "-y"] + arguments + [folder.path(name)])
            try #require(made.status == 0, "\(made.errors)")
            return folder.path(name)
        }

        private func write(_ bytes: [UInt8], to name: String) throws -> String {
            try Data(bytes).write(to: URL(filePath: folder.path(name)))
            return folder.path(name)
        }

        private func bytes(_ name: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(filePath: folder.path(name))))
        }

        private func film(_ path: String, timer: Int? = nil) throws(AudioError) -> FilmFacts {
            try intake.film(
                of: path,
                to: FilmGoals(
                    shown: folder.path("made-shown.mp4"), plain: folder.path("made-plain.mp4"),
                    sound: folder.path("made-sound.flac"),
                    preview: folder.path("made-preview.mp4"), poster: folder.path("made-poster.jpg")), timer: timer,
                name: "a film")
        }

        /// What is there of it; nothing half made, and nothing of another name.
        private func made() throws -> [String] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("."))
            #expect(!names.contains { $0.hasPrefix(".") })
            return names.filter { $0.hasPrefix("made-") }.sorted()
        }

        private func streams(_ name: String) throws -> String {
            try ExternalProgram("ffprobe").run([
                "-v", "error", "-show_entries", "stream=codec_name,width,height,channels:format_tags:stream_tags",
                "-of", "compact", folder.path(name),
            ]).text
        }

        @Test
        func `a film of a phone becomes a copy, a preview, a poster and its sound, and nothing else of it goes out`()
            throws
        {
            let path = try source(
                "phone.mov",
                Self.picture + Self.sound + Self.h264 + [
                    "-c:a", "aac", "-metadata", "location=+47.3769+008.5417/", "-metadata", "comment=a secret",
                    "-metadata", "creation_time=2026-05-01T10:00:00Z",
                ])
            let before = try bytes("phone.mov")
            #expect(String(decoding: before, as: UTF8.self).contains("47.3769"))
            let facts = try film(path, timer: 500)
            #expect(facts.width == 64 && facts.height == 48 && facts.hasSound && facts.hasTimer)
            #expect((1900...2100).contains(facts.milliseconds))
            #expect(
                try made() == [
                    "made-plain.mp4", "made-poster.jpg", "made-preview.mp4", "made-shown.mp4", "made-sound.flac",
                ])
            for name in try made() {
                let text = String(decoding: try bytes(name), as: UTF8.self)
                for word in ["47.3769", "secret", "x264 - core"] { #expect(!text.contains(word), "\(name): \(word)") }
            }
            #expect(try bytes("phone.mov") == before)
            for name in ["made-shown.mp4", "made-plain.mp4"] {
                #expect(try FilmBoxes.isPlain(folder.path(name)))
                #expect(try streams(name).contains("codec_name=h264") && streams(name).contains("codec_name=aac"))
            }
            #expect(try !streams("made-preview.mp4").contains("codec_name=aac"))
            #expect(try bytes("made-preview.mp4").count <= 400_000)
            #expect(try bytes("made-poster.jpg").starts(with: [0xFF, 0xD8, 0xFF]))

            // It is judged like any other sound.
            var reader = try intake.reader(of: folder.path("made-sound.flac"), name: "sound", longest: .seconds(10))
            #expect(reader.format == AudioFormat(sampleRate: 44100, channels: 1))
            var block = AudioBlock(format: reader.format)
            var (frames, highest) = (0, Float(0))
            while try reader.read(into: &block) {
                frames += block.frames
                block.withPlane(0) { plane in for index in plane.indices { highest = max(highest, abs(plane[index])) } }
            }
            #expect((88_000...90_500).contains(frames) && highest > 0.05)
        }

        @Test(arguments: [
            ["f.webm", "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"],
            ["f.webm", "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"],
            [
                "f.mov", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-c:a",
                "pcm_s16le",
            ],
            ["f.mkv", "-c:v", "mpeg4", "-c:a", "libvorbis"],
        ])
        func `what browsers and phones record is taken`(_ kind: [String]) throws {
            let facts = try film(try source(kind[0], Self.picture + Self.sound + Array(kind.dropFirst())))
            #expect(facts.width == 64 && facts.height == 48 && facts.hasSound && !facts.hasTimer)
            #expect((1900...2150).contains(facts.milliseconds))
        }

        @Test func `a film without sound has none, and one on its side is set upright`() throws {
            try source("wide.mp4", Self.picture + Self.h264)
            var bytes = try bytes("wide.mp4")
            // The matrix of the track's head (ISO/IEC 14496-12, 8.3.2) for a quarter turn.
            let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { (value: UInt32) in
                (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
            }
            let quarter = [0, 0x10000, 0, 0xFFFF_0000, 0, 0, 48 << 16, 0, 0x4000_0000].flatMap { (value: UInt32) in
                (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
            }
            let head = try #require(bytes.firstRange(of: Array("tkhd".utf8)))
            let place = try #require(bytes[head.upperBound...].firstRange(of: matrix))
            bytes.replaceSubrange(place, with: quarter)
            let facts = try film(try write(bytes, to: "upright.mp4"))
            #expect(facts.width == 48 && facts.height == 64 && !facts.hasSound)
            #expect(try made() == ["made-poster.jpg", "made-preview.mp4", "made-shown.mp4"])
        }

        @Test func `a large film is made smaller, and its preview stays small whatever is in it`() throws {
            let facts = try film(
                try source(
                    "large.mp4",
                    ["-f", "lavfi", "-i", "color=s=1920x1080:r=25:d=1,noise=alls=90:allf=t"] + Self.h264 + [
                        "-crf", "35",
                    ]))
            #expect(facts.width == 1280 && facts.height == 720)
            #expect(try bytes("made-preview.mp4").count <= 400_000)
        }

        @Test func `sound alone stays as it was recorded, silence and level and all (OU-14)`() throws {
            // Two seconds of silence, one at -40 dBFS, two of silence.
            let path = try source(
                "soft.wav",
                [
                    "-f", "lavfi", "-i", "aevalsrc=0.01*sin(2*PI*440*t)*between(t\\,2\\,3):s=48000:d=5", "-c:a",
                    "pcm_s16le",
                ])
            let facts = try film(path)
            #expect(facts.milliseconds == 5000 && facts.hasSound && !facts.hasPictures && !facts.hasTimer)
            #expect(try made() == ["made-shown.mp4", "made-sound.flac"])
            func samples(_ path: String) throws -> [UInt8] {
                try ExternalProgram("ffmpeg").run(["-v", "error", "-i", path, "-f", "s16le", "-"]).output
            }
            #expect(try samples(folder.path("made-sound.flac")) == samples(path))
            #expect(try streams("made-shown.mp4").contains("codec_name=aac"))
        }

        @Test(arguments: ["m4a", "mp3", "ogg", "flac", "webm"])
        func `sound alone is read as it is kept`(_ ending: String) throws {
            let facts = try film(try source("sound.\(ending)", Self.sound))
            #expect(abs(facts.milliseconds - 2000) <= 60 && !facts.hasPictures)
        }

        @Test func `sound alone may last five and a half minutes, and no longer`() throws {
            func tone(_ seconds: Int) throws -> String {
                try source("long.wav", ["-f", "lavfi", "-i", "sine=f=440:r=8000:d=\(seconds)"])
            }
            #expect(try film(try tone(330)).milliseconds == 330_000)
            #expect(throws: AudioError.unsupported(name: "a film", reason: "it is longer than 330 seconds")) {
                try film(try tone(332))
            }
        }

        @Test func `text, lists of other files and what is cut off are refused with a reason`() throws {
            let good = try source("good.mp4", Self.picture + Self.h264)
            let playlist = Array("#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://\(good)\n#EXT-X-ENDLIST\n".utf8)
            let box: ([UInt8], String) -> [UInt8] = { content, name in
                let size = UInt32(content.count + 8)
                return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(name.utf8) + content
            }
            let head = box(Array("isom\0\0\0\0isom".utf8), "ftyp")
            let hostile: [String: [UInt8]] = [
                "empty.mp4": [], "text.mp4": Array("no film".utf8), "list.mp4": playlist, "list.m3u8": playlist,
                "concat.mp4": Array("ffconcat version 1.0\nfile '\(good)'\n".utf8),
                "inside.mp4": head + box(playlist, "mdat"), "behind.mp4": head + playlist,
                "dash.mp4": Array("<?xml version='1.0'?><MPD><BaseURL>file://\(good)</BaseURL></MPD>".utf8),
            ]
            for (name, content) in hostile {
                let path = try write(content, to: name)
                #expect(
                    throws: AudioError.undecodable(
                        name: "a film", reason: "it is no video and no sound that is read here"), "\(name)"
                ) {
                    try film(path)
                }
            }
            #expect(try made().isEmpty)
        }

        @Test func `what says that its pictures are huge is refused, and costs neither memory nor time`() throws {
            try source("small.webm", Self.picture + ["-c:v", "libvpx", "-deadline", "realtime"])
            var bytes = try bytes("small.webm")
            // The head of a key picture: 14 bits each for width and height (RFC 6386, 9.1).
            while let place = bytes.firstRange(of: [0x9D, 0x01, 0x2A, 64, 0, 48, 0]) {
                bytes.replaceSubrange(place, with: [0x9D, 0x01, 0x2A, 0xFF, 0x3F, 0xFF, 0x3F])
            }
            let path = try write(bytes, to: "huge.webm")
            let begun = ContinuousClock.now
            #expect(throws: AudioError.self) { try film(path) }
            #expect(begun.duration(to: .now) < .seconds(10))
            #expect(try made().isEmpty)
        }

        @Test(arguments: [0, 1, 0x7FFF_FFFF] as [UInt32])
        func `a length that is a lie leads nowhere`(_ length: UInt32) throws {
            try source("honest.mp4", Self.picture + Self.h264)
            var bytes = try bytes("honest.mp4")
            let lie = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
            for (name, offset) in [("mvhd", 16), ("tkhd", 20), ("mdhd", 16)] {
                let place = try #require(bytes.firstRange(of: Array(name.utf8))).upperBound + offset
                bytes.replaceSubrange(place..<place + 4, with: lie)
            }
            let path = try write(bytes, to: "lie.mp4")
            do throws(AudioError) {
                let facts = try film(path)
                #expect((1...2100).contains(facts.milliseconds))
            } catch {
                guard case .unsupported = error else { throw error }
            }
        }

        @Test(arguments: ["long.mp4", "long.webm"])
        func `a film of more than three minutes is refused, also when it does not say so`(_ name: String) throws {
            let isLive = name.hasSuffix("webm")
            let path = try source(
                name,
                ["-f", "lavfi", "-i", "color=s=16x16:r=1:d=183"]
                    + (isLive ? ["-c:v", "libvpx", "-deadline", "realtime", "-live", "1"] : Self.h264))
            #expect(throws: AudioError.unsupported(name: "a film", reason: "it is longer than 180 seconds")) {
                try film(path)
            }
            #expect(try made().isEmpty)
        }

        @Test func `a film that is cut off anywhere becomes a shorter one or is refused`() throws {
            try source("whole.mp4", Self.picture + Self.sound + Self.h264 + ["-c:a", "aac", "-movflags", "+faststart"])
            let whole = try bytes("whole.mp4")
            for tenth in 0..<10 {
                let path = try write(Array(whole.prefix(whole.count * tenth / 10)), to: "cut.mp4")
                do throws(AudioError) {
                    let facts = try film(path)
                    #expect((1...2100).contains(facts.milliseconds), "\(tenth)")
                } catch {
                    guard case .undecodable = error else { throw error }
                }
                for name in try made() { try FileManager.default.removeItem(atPath: folder.path(name)) }
            }
        }

        @Test func `who is killed over a film takes its programs along, and it is made at the next try`() async throws {
            let path = try source(
                "work.mp4",
                ["-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30:d=8"] + Self.h264 + ["-crf", "40", "-g", "30"])
            let children = ChildProcesses()
            async let failed: AudioError? = offPool { [self] in
                do throws(AudioError) {
                    _ = try film(path)
                    return nil
                } catch { return error }
            }
            var program: pid_t?
            await until {
                guard let child = children.new().first else { return false }
                program = Self.programs(of: child).first
                return program != nil
            }
            let child = try #require(children.new().first)
            let ended = try #require(program)
            kill(child, SIGKILL)
            await until { !FileManager.default.fileExists(atPath: "/proc/\(ended)") || Self.isZombie(ended) }
            #expect(await failed == .crashed(name: "a film", reason: "it was ended by signal 9"))
            #expect(try made().isEmpty)
            #expect(try film(path).milliseconds > 7_000)
        }

        /// `ffmpeg` and `ffprobe` that a process has started.
        private static func programs(of parent: pid_t) -> [pid_t] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return names.compactMap { pid_t($0) }.filter { process in
                guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
                    return false
                }
                let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
                return fields.count > 1 && fields[1] == "\(parent)" && stat.contains("(ff")
            }
        }

        private static func isZombie(_ process: pid_t) -> Bool {
            let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            return stat.split(separator: ")").last?.split(separator: " ").first == "Z"
        }

        @Test func `what another program has written is not taken for a copy that may be shown`() throws {
            let tagged = try source(
                "tagged.mp4", Self.picture + Self.h264 + ["-metadata", "location=+47+008/", "-movflags", "+faststart"])
            let late = try source("late.mp4", Self.picture + Self.h264 + ["-fflags", "+bitexact"])
            #expect(try !FilmBoxes.isPlain(tagged) && !FilmBoxes.isPlain(late))
            _ = try film(late)
            let whole = try bytes("made-shown.mp4")
            #expect(try FilmBoxes.isPlain(try write(whole, to: "same.mp4")))
            #expect(try !FilmBoxes.isPlain(try write(whole + [0], to: "more.mp4")))
            #expect(try !FilmBoxes.isPlain(try write(Array(whole.dropLast()), to: "less.mp4")))
            #expect(try !FilmBoxes.isPlain(try write([], to: "none.mp4")))
        }
    }
}
