public import ChirpDevices

/// What a listener's keys do to a clip that is being heard.
public struct PlaybackRemote: Sendable {
    public var pause: @Sendable () -> Void
    public var resume: @Sendable () -> Void
    public var skip: @Sendable () -> Void

    public init(
        pause: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void,
        skip: @escaping @Sendable () -> Void
    ) {
        self.pause = pause
        self.resume = resume
        self.skip = skip
    }

    public init(_ control: PlaybackControl) {
        self.init(pause: control.pause, resume: control.resume, skip: control.skip)
    }
}
