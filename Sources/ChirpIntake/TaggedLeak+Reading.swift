package import ChirpAudio
package import ChirpMusic

extension TaggedLeak {
    /// The beginning of a file as it is compared: one channel at ``rate``, at most ``longest``; 10 MB.
    ///
    /// - Throws: ``AudioError``: `undecodable`, ...
    package static func samples(of path: String, name: String) throws(AudioError) -> [Float] {
        try MonoSamples.read(path, name: name, rate: rate, longest: longest)
    }
}
