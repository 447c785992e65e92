/// Facts about a network that callers may ask for before they try.
public struct NetworkProperties: Hashable, Sendable {
    /// As in `--network NAME`.
    public var name: String
    public var textRules: TextRules
    /// What one post with a link costs, in US dollars; 0 when posting is free.
    public var costPerPostUSD: Double

    public init(name: String, textRules: TextRules, costPerPostUSD: Double = 0) {
        self.name = name
        self.textRules = textRules
        self.costPerPostUSD = costPerPostUSD
    }
}
