internal import ChirpAudio
internal import ChirpMP3

extension ClipRequest {
    /// An MP3 of a whole master as it sounds, for who has bought one: at the highest rate, nothing cut, nothing levelled. Two requests of the same
    /// bytes make the same bytes.
    ///
    /// A master may go above full scale between its samples, and what is heard then is its maker's choice: no ceiling is kept.
    package init(copyOf master: ClipSource) {
        self.init(source: master, preset: .music)
        settings = MP3Settings(rate: .constant(kbps: 320))
        policy.trims = false
        policy.normalises = false
        policy.ceiling = Decibels(24)
    }
}
