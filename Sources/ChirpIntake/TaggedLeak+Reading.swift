package import ChirpAudio
package import ChirpMusic

extension TaggedLeak {
    /// Reads the beginnings of three files and compares them; in bounded memory, some 60 MB.
    ///
    /// - Parameters:
    ///   - path: of a recording that may be somebody's preview.
    ///   - master: of the track.
    ///   - voice: of what is said in its previews.
    ///   - name: of the recording, for errors.
    /// - Throws: ``AudioError``: `undecodable`, ...
    package init(of path: String, master: String, voice: String, name: String) throws(AudioError) {
        func read(_ path: String, _ name: String) throws(AudioError) -> [Float] {
            try MonoSamples.read(path, name: name, rate: Self.rate, longest: Self.longest)
        }
        try self.init(read(path, name), of: read(master, "the master"), voice: read(voice, "the voice"))
    }
}
