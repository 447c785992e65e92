package import ChirpCommunity
package import ChirpWeb
package import FoundationEssentials
internal import Hummingbird

/// An item was there and is no longer to be seen.
package struct ItemGone: Error, Hashable {
    package let state: Item.State
    package let since: Date?

    package init(state: Item.State, since: Date?) {
        self.state = state
        self.since = since
    }

    /// As programs are told: what became of it, and when; nothing else.
    package func problem(_ title: String) -> Problem {
        let when = since.map { " \($0.formatted(.iso8601))" } ?? ""
        return Problem(.gone, "gone", title, detail: "\(state.rawValue)\(when)")
    }
}
