/// How a playback is called in mixers and by policies of the sound server.
public struct PlaybackTitles: Hashable, Sendable {
    /// The stream's name, such as `Clip by @alice`.
    public var name: String
    public var title: String
    public var artist: String
    /// A media role as PulseAudio knows them (`music`, `phone`, `event` ...); decides ducking and routing.
    public var role: String

    public init(name: String = "Clip", title: String = "", artist: String = "", role: String = "music") {
        self.name = name
        self.title = title
        self.artist = artist
        self.role = role
    }
}
