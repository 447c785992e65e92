public import ChirpCore

/// How to reach the sound server and how patient to be with it.
public struct DeviceSettings: Hashable, Sendable {
    /// A PulseAudio server string such as `unix:/run/user/1000/pulse/native`; nil is the user's usual server.
    public var server: String?
    /// Whether the user's usual server may be started when it does not run, as libpulse does by itself.
    public var startsServer = true
    /// How the application is called in mixers.
    public var application: String
    /// Waits between attempts to get a lost device back.
    public var retry: RetryPolicy
    /// How long a device may be gone, suspended or silent before that is an error. Default 30 s.
    public var patience: Duration
    /// How much may be captured or queued ahead. Capture keeps this much while the reader is away; default 10 s.
    public var captureBuffer: Duration
    /// The wanted time from writing a sample to hearing it. Default 200 ms.
    public var latency: Duration

    public init(server: String? = nil, application: String = "Chirp") {
        self.server = server
        self.application = application
        retry = RetryPolicy(base: .milliseconds(100), cap: .seconds(2), attempts: .max)
        patience = .seconds(30)
        captureBuffer = .seconds(10)
        latency = .milliseconds(200)
    }
}
