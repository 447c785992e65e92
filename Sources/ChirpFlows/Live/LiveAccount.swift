internal import ChirpCore
public import ChirpNetworks

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
