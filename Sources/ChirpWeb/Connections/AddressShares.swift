package import ChirpCore
package import NIOCore
internal import Synchronization

/// Who holds how many of a server's connections and event streams.
///
/// Who is counted for a connection is the address at its other end. Behind a reverse proxy all visitors have the same; a trusted proxy,
/// and any proxy on this machine, has no share of its own then, and sharing connections among visitors is its business. Event
/// streams are counted for the visitor whom a trusted proxy names (``ForwardedAddress``).
package final class AddressShares: Sendable {
    /// An IPv4 address, or the 64 bits of an IPv6 address that a provider gives to one household (RFC 6177).
    package struct Holder: Hashable, Sendable {
        fileprivate let bytes: [UInt8]
        let isLoopback: Bool

        /// All trusted proxies.
        fileprivate static let proxy = Holder()

        private init() {
            bytes = [0xFF]
            isLoopback = false
        }

        /// - Parameter address: nil, or one of another kind, for everybody whose address is not known.
        package init(_ address: SocketAddress?) {
            // By its text, so that nothing depends on which module the system's structs are taken from.
            self.init(text: address?.ipAddress ?? "")
        }

        /// - Parameter text: what is no address stands for everybody whose address is not known.
        package init(text: String) {
            let network = ClientNetwork(text)
            (bytes, isLoopback) = (network.bytes, network.isLoopback)
        }
    }

    /// A place among the event streams; given back with the last reference, also when the stream never began.
    package final class Stream: Sendable {
        private let shares: AddressShares
        private let holder: Holder
        private let account: String?

        fileprivate init(_ shares: AddressShares, _ holder: Holder, _ account: String?) {
            self.shares = shares
            self.holder = holder
            self.account = account
        }

        deinit {
            shares.streams.withLock { AddressShares.release(holder, &$0) }
            if let account { shares.streamsOfAccounts.withLock { AddressShares.release(account, &$0) } }
        }
    }

    private let limits: ConnectionLimits
    private let proxyIsLocal: Bool
    private let proxies: TrustedProxies
    private let connections = Mutex<[Holder: Int]>([:])
    private let streams = Mutex<[Holder: Int]>([:])
    private let streamsOfAccounts = Mutex<[String: Int]>([:])
    /// Who has how many requests in hand.
    package let requests: RequestsInFlight

    /// - Parameters:
    ///   - proxyIsLocal: whether what comes from this machine comes from a reverse proxy.
    ///   - proxies: others that stand for many visitors.
    package init(_ limits: ConnectionLimits, proxyIsLocal: Bool, proxies: TrustedProxies = .none) {
        self.limits = limits
        requests = RequestsInFlight(limits)
        self.proxyIsLocal = proxyIsLocal
        self.proxies = proxies
    }

    /// Whom a connection is counted for.
    func holder(of address: SocketAddress?) -> Holder {
        proxies.contains(address?.ipAddress ?? "") ? .proxy : Holder(address)
    }

    /// Whether it stands for many, and has no share of its own.
    private func isProxy(_ holder: Holder) -> Bool { holder == .proxy || holder.isLoopback && proxyIsLocal }

    /// Whether a request comes from a proxy that has not said whose it is.
    func isProxy(_ context: WebContext) -> Bool { isProxy(context.holder) || proxies.contains(context.address) }

    /// Counts a connection.
    ///
    /// - Returns: false when its holder has as many as it may; then nothing was counted.
    func enter(_ holder: Holder) -> Bool {
        let most = isProxy(holder) ? limits.total : limits.perAddress
        return connections.withLock { Self.take(holder, most, &$0) }
    }

    func leave(_ holder: Holder) { connections.withLock { Self.release(holder, &$0) } }

    /// - Parameter account: whose stream it is; counted wherever it comes from.
    /// - Returns: nil when the holder or the account has as many event streams as it may.
    package func stream(for holder: Holder, account: String? = nil) -> Stream? {
        // Not all, so that pages still open when a proxy's visitors listen.
        let most = isProxy(holder) ? limits.total / 4 * 3 : limits.streamsPerAddress
        guard streams.withLock({ Self.take(holder, most, &$0) }) else { return nil }
        if let account {
            guard streamsOfAccounts.withLock({ Self.take(account, limits.streamsPerAccount, &$0) }) else {
                streams.withLock { Self.release(holder, &$0) }
                return nil
            }
        }
        return Stream(self, holder, account)
    }

    static func take<Key>(_ holder: Key, _ most: Int, _ counts: inout [Key: Int]) -> Bool {
        let held = counts[holder, default: 0]
        guard held < most else { return false }
        counts[holder] = held + 1
        return true
    }

    /// An address that holds nothing is forgotten.
    static func release<Key>(_ holder: Key, _ counts: inout [Key: Int]) {
        guard let held = counts[holder] else { return }
        counts[holder] = held > 1 ? held - 1 : nil
    }
}

/// How much of a server one visitor may hold, and for how long without taking or asking anything.
package struct ConnectionLimits: Hashable, Sendable {
    /// Connections at once; with a file each they stay below the usual limit of 1024 open files. ``OpenFiles`` allows more.
    package var total = 400
    /// Connections at once of one address. A browser opens six, a shared address of an office some dozens.
    package var perAddress = 64
    /// Event streams among these. They last as long as their listeners like, so they are fewer.
    package var streamsPerAddress = 16
    /// Event streams of one account, from wherever. A browser needs one for all its tabs.
    package var streamsPerAccount = 12
    /// Requests in hand at once of one address, over all its connections and their streams. Players that wait for a listener have one each.
    package var requestsPerAddress = 64
    /// Requests among these that are worked on at once, fewer than a library has readers; the others of the same address wait.
    package var workingPerAddress = 4
    /// How long a connection may be silent between requests, and a request's head may take to arrive.
    package var idle: Duration = .seconds(60)
    /// How long an answer may wait for a reader that takes no byte of it.
    package var stall: Duration = .seconds(60)

    package init() {}

    /// The same for people whose number is known, or for tests: what one visitor may hold is multiplied, the total is not.
    package func scaled(by factor: Double) -> ConnectionLimits {
        func scaled(_ limit: Int) -> Int { Int(clamping: min(max(1, (Double(limit) * factor).rounded()), 1_000_000)) }
        var limits = self
        limits.perAddress = scaled(perAddress)
        limits.streamsPerAddress = scaled(streamsPerAddress)
        limits.streamsPerAccount = scaled(streamsPerAccount)
        limits.requestsPerAddress = scaled(requestsPerAddress)
        limits.workingPerAddress = scaled(workingPerAddress)
        return limits
    }
}
