package import ChirpAudio
package import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
internal import ChirpFlows
internal import Glibc

/// Where what is made of a film appears.
package struct FilmGoals: Hashable, Sendable {
    package let shown, plain, sound, preview, poster: String

    package init(shown: String, plain: String, sound: String, preview: String, poster: String) {
        (self.shown, self.plain, self.sound, self.preview, self.poster) = (shown, plain, sound, preview, poster)
    }
}

extension Intake {
    /// Whether films are taken here: what reads them is a program of its own.
    package static var takesFilms: Bool { FilmMaking.isPossible }

    /// With everything that belongs to it; each of its steps has a bound of its own (``FilmRules``).
    private static let filmPatience = Duration.seconds(640)

    /// Makes what is shown of a film, in a child that does nothing else: the shown copy and the preview as MP4, the sound as FLAC beside the
    /// pictures from the beginning on, and the poster as JPEG. Each appears whole and on the disk; of one without sound there is no sound, of
    /// one without a timer no copy without it, and of sound alone nothing but the shown copy and the sound. May be repeated. Blocking.
    ///
    /// The film itself is only read. The child is not believed: what it has made appears if it has the boxes and the sizes that it should, and
    /// nothing in it beside pictures and sound.
    ///
    /// - Parameters:
    ///   - path: of what was sent; any bytes.
    ///   - timer: where in the film the timer begins that is burnt into the shown copy, in ms; nil for none.
    ///   - name: for errors.
    package func film(
        of path: String, to goals: FilmGoals, timer: Int?, name: String
    ) throws(AudioError) -> FilmFacts {
        let source = try OpenedFile(path, name: name)
        var size = stat()
        guard fstat(source.descriptor, &size) == 0, Int64(size.st_size) <= FilmRules.mostSourceBytes else {
            throw .unsupported(name: name, reason: "a video may have \(FilmRules.mostSourceBytes / 1_000_000) MB")
        }
        let work = IntakeWork.film(name: name, timer: timer)
        let shown = try Self.begin(goals.shown)
        let plain = try Self.begin(goals.plain)
        let sound = try Self.begin(goals.sound)
        let preview = try Self.begin(goals.preview)
        let poster = try Self.begin(goals.poster)
        let child = try filmChild(
            for: name,
            [
                source.descriptor, shown.file.raw, sound.file.raw, preview.file.raw, poster.file.raw, plain.file.raw,
            ])
        try child.begin(work, descriptors: [])
        let reply = try child.reply(to: work, patience: Self.filmPatience)
        // Or it could still write to what is looked at and shown.
        child.finish()
        guard case .filmed(let facts) = reply, facts.isPossible, try FilmBoxes.isPlain(shown.temporaryPath),
            !facts.hasSound || Self.bytes(sound.temporaryPath) > 42
        else { throw child.nonsense(work) }
        var picture: [UInt8]?
        if facts.hasPictures {
            picture = try Self.picture(poster.temporaryPath)
            guard picture != nil, try FilmBoxes.isPlain(preview.temporaryPath),
                Self.bytes(preview.temporaryPath) <= FilmRules.mostPreviewBytes
            else { throw child.nonsense(work) }
        }
        if facts.hasTimer {
            guard timer != nil, try FilmBoxes.isPlain(plain.temporaryPath) else { throw child.nonsense(work) }
        }
        do throws(FileError) {
            if let picture {
                try AtomicFile.write(picture, to: goals.poster)
                try preview.commit()
            }
            if facts.hasSound { try sound.commit() }
            if facts.hasTimer { try plain.commit() }
            try shown.commit()
        } catch {
            throw AudioError(error)
        }
        return facts
    }

    private static func begin(_ path: String) throws(AudioError) -> AtomicFile {
        do throws(FileError) { return try AtomicFile.create(at: path) } catch {
            throw .uncreatable(path: path, reason: .system(error.error))
        }
    }

    private static func bytes(_ path: String) -> Int64 {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int64(facts.st_size) : .max
    }

    /// A JPEG, without whatever is in the file beside it; nil when it is none, or too large.
    private static func picture(_ path: String) throws(AudioError) -> [UInt8]? {
        guard bytes(path) <= FilmRules.mostPosterBytes else { return nil }
        var file: [UInt8] = []
        do throws(FileError) {
            try FileContent.read(path) { (piece) throws(FileError) in file.append(contentsOf: piece) }
        } catch {
            throw AudioError(error)
        }
        return FilmPoster.plain(file)
    }

    private func filmChild(for name: String, _ files: [Int32]) throws(AudioError) -> IntakeProcess {
        do throws(SystemError) { return try filmProcess(files) } catch {
            throw .uncreatable(path: "a process for \(name)", reason: .system(error))
        }
    }
}
