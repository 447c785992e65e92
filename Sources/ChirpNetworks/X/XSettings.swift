/// How posts on X are to be.
public struct XSettings: Hashable, Sendable {
    /// Who sends the post.
    public enum Mode: String, Sendable, CaseIterable {
        /// The user, from a page that Chirp gives the address of. Free, and needs no sign-in.
        case intent
        /// Chirp, by the API, which costs money for every post.
        case link
    }

    public var mode: Mode
    /// US dollars for all posts of a calendar month; nil for no limit.
    public var monthlyBudgetUSD: Double?

    public init(mode: Mode = .intent, monthlyBudgetUSD: Double? = nil) {
        self.mode = mode
        self.monthlyBudgetUSD = monthlyBudgetUSD
    }
}
