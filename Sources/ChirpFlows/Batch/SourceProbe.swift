internal import ChirpAudio
internal import ChirpCodecs

extension SourceFolder {
    /// Opens a file to see what it is.
    func probe(_ path: BatchPath) -> WorkList.Probe {
        do throws(AudioError) {
            let source = try file(path)
            let audio = try AudioFile(opening: source.path, name: path.text)
            return .audio(seconds: audio.announcedLength.map { audio.format.seconds(ofFrames: $0) })
        } catch {
            if case .undecodable(_, let reason, _) = error, !path.promisesAudio { return .ignored(reason) }
            return .failed(error)
        }
    }
}
