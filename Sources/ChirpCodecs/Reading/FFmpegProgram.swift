internal import ChirpAudio
internal import ChirpCore
internal import ChirpFiles
internal import Glibc

/// The program `ffmpeg`, started for one file: bound to that file and to its own libraries, without a network, and with limits
/// (``ConfinedProcess``). What it says goes to a pipe.
struct FFmpegProgram: ~Copyable {
    /// As a package and as a program.
    static let name = "ffmpeg"

    /// Where it is looked for; the search path is the executable's business, and a stranger's file never chooses a program.
    private static let places = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"]

    static var path: String? { places.first { access($0, X_OK) == 0 } }

    /// What it may take files for: never a playlist, a script or anything else that names other files.
    private static let formats = [
        "mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "amr", "amrnb", "amrwb", "aac", "asf", "ape", "wv", "ogg", "mpc",
        "mpc8", "tta", "tak",
    ].joined(separator: ",")

    private let process: ConfinedProcess
    private let output: OpenFile

    /// - Parameters:
    ///   - arguments: what follows the input.
    ///   - kind: what the file is, with its article, for the message.
    /// - Throws: `programMissing`.
    init(reading file: InputFile, kind: String, _ arguments: [String]) throws(AudioError) {
        guard let path = Self.path else {
            throw .programMissing(name: file.name, kind: kind, program: Self.name)
        }
        let ends: PipeEnds
        do throws(SystemError) { ends = try PipeEnds() } catch {
            throw .inputOutput(path: file.name, reason: .system(error))
        }
        let output = OpenFile(adopting: ends.reading)
        let theirs = OpenFile(adopting: ends.writing)
        do throws(SystemError) {
            process = try ConfinedProcess(
                path,
                arguments: [
                    "-nostdin", "-hide_banner", "-v", "quiet", "-threads", "1", "-protocol_whitelist", "file,pipe",
                    "-format_whitelist", Self.formats, "-i", "file:/proc/self/fd/0",
                ] + arguments,
                descriptors: [file.descriptor, theirs.raw, nil],
                // A day of sound takes some minutes.
                limits: ConfinedProcess.Limits(
                    processorTime: .seconds(3600), memory: ByteCount(2 << 30), isForeign: true))
        } catch {
            // A process that decodes strangers' files may start none.
            throw .programMissing(name: file.name, kind: kind, program: Self.name)
        }
        self.output = output
    }

    /// Reads until the buffer is full or the program has said all.
    func read(into buffer: UnsafeMutableRawBufferPointer, name: String) throws(AudioError) -> Int {
        var filled = 0
        while filled < buffer.count, let base = buffer.baseAddress {
            guard !Task.isCancelled else { throw .cancelled }
            var ready = pollfd(fd: output.raw, events: Int16(POLLIN), revents: 0)
            let events = poll(&ready, 1, 200)
            if events == 0 || events < 0 && errno == EINTR { continue }
            let count = Glibc.read(output.raw, base + filled, buffer.count - filled)
            if count > 0 {
                filled += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw .inputOutput(path: name, reason: .system(.current))
            }
        }
        return filled
    }

    /// At most so many bytes.
    func read(count: Int, name: String) throws(AudioError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let outcome = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(AudioError) in try self.read(into: buffer, name: name) }
        }
        bytes.removeLast(count - (try outcome.get()))
        return bytes
    }

    /// How it ended; waits for that.
    func ending() -> ConfinedProcess.Ending { process.ending() }
}
