internal import ChirpCore
public import ChirpDevices
public import ChirpJournal
public import ChirpNetworks

/// What happens while live: for the terminal, for scripts, for the log and for the benchmark.
public enum LiveEvent: Hashable, Sendable {
    /// Listening begins; it goes on with a session that was cut off.
    case started(LiveWindow, accounts: [LiveAccount], goesOn: Bool)
    case windowChanged(LiveWindow)
    case windowRefused(LiveWindow.Refusal)
    case accountsChanged([LiveAccount])
    /// A post with a clip by a chosen account.
    case detected(PlayRecord)
    case fetching(PlayRecord)
    /// It is in the cache, and can be played.
    case fetched(PlayRecord)
    /// The first sample was handed to the sound server.
    case playing(PlayRecord, isReplay: Bool)
    case played(PlayRecord, isReplay: Bool)
    /// It will not be heard.
    case skipped(PlayRecord, because: String)
    case paused
    case resumed
    /// It will not be fetched or played any more, because processes have died of it; a person may try it again.
    case setAside(PlayRecord, because: String)
    /// A network does not answer; it is asked again after a time, which may be shorter than the network wishes. Silent on the
    /// screen, and logged (UF-6).
    case unreachable(network: String, NetworkError, again: Duration)
    case reachable(network: String)
    case device(DeviceEvent)
    /// Clips were removed from the cache.
    case removed(Int)
    case ended
}

/// Somebody to listen to.
public struct LiveAccount: Hashable, Sendable {
    /// The network's name.
    public let network: String
    public let account: Account

    public init(network: String, account: Account) {
        self.network = network
        self.account = account
    }

    /// `@handle`, made safe to show.
    public var shown: String { "@\(PlainText(account.handle, limit: 60))" }
}
