import ChirpCommands
import ChirpCore
import ChirpFlows
import ChirpNetworks

/// The accounts that the user follows, on every network that can be used here.
struct Following: Sendable {
    private let wiring: Wiring
    private let console: Console
    private let area: ListingArea?

    /// - Parameter area: whose new listings are one of the accounts.
    init(_ wiring: Wiring, console: Console, near area: ListingArea? = nil) {
        self.wiring = wiring
        self.console = console
        self.area = area
    }

    /// Alphabetical by handle. A network that does not answer is left out, and said.
    ///
    /// - Throws: when no network answers.
    func accounts() async throws -> [LiveAccount] {
        var found: [LiveAccount] = []
        var failure: (any Error)?
        var hasAnswer = false
        for network in try wiring.liveNetworks(near: area) {
            let name = network.properties.name
            if let costs = network.properties.readingCosts {
                console.note("note: \(costs), counted against \(name).monthlyBudgetUSD")
            }
            do {
                found += try await network.followed().map { LiveAccount(network: name, account: $0) }
                hasAnswer = true
            } catch {
                if error == .cancelled { throw error }
                failure = failure ?? error
                console.note("note: no accounts from \(name): \(error.whatHappened)")
            }
        }
        if let failure, !hasAnswer { throw failure }
        return found.sorted {
            ($0.account.handle.lowercased(), $0.network) < ($1.account.handle.lowercased(), $1.network)
        }
    }

    /// The accounts of a list such as `@alice,bob@social.example`: by handle in any case, or by `network:handle` where several
    /// networks know the same one.
    static func accounts(named list: String, among known: [LiveAccount]) throws(LiveFailure) -> [LiveAccount] {
        var chosen: [LiveAccount] = []
        for part in list.split(whereSeparator: { $0 == "," || $0 == " " }) {
            var name = part.lowercased()
            var network: String?
            if let colon = name.firstIndex(of: ":") {
                network = String(name[..<colon])
                name = String(name[name.index(after: colon)...])
            }
            if name.hasPrefix("@") { name.removeFirst() }
            let found = known.filter {
                $0.account.handle.lowercased() == name && network.map($0.network.hasPrefix) ?? true
            }
            guard !found.isEmpty else {
                let similar = known.filter { $0.account.handle.lowercased().contains(name) }.map(\.account.handle)
                throw .unknownAccount(String(part), known: similar)
            }
            // `hub` is the one on this machine, although the names of others begin with it.
            let exact = found.filter { $0.network == network }
            for account in exact.isEmpty ? found : exact where !chosen.contains(account) { chosen.append(account) }
        }
        guard !chosen.isEmpty else { throw .nobodyChosen }
        return chosen
    }

    /// Rows of a page on a terminal.
    static let rows = 10

    /// The lines of a chooser.
    static func items(_ accounts: [LiveAccount]) -> [Chooser<LiveAccount>.Item] {
        let width = accounts.map(\.shown.count).max() ?? 0
        return accounts.map { account in
            let name = PlainText(account.account.displayName, limit: 60)
            return Chooser.Item(
                id: account, label: "\(account.shown.padded(to: width))  \(name)  (\(account.network))")
        }
    }
}

extension LiveAccount {
    /// Not somebody, but the new listings of an area.
    var isNearby: Bool { account.id.text.hasPrefix("near:") && account.handle == "near" }
}
