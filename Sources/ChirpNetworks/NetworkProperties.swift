/// Facts about a network that callers may ask for before they try.
public struct NetworkProperties: Hashable, Sendable {
    /// As in `--network NAME`.
    public var name: String
    public var textRules: TextRules
    /// What one post with a link costs, in US dollars; 0 when posting is free.
    public var costPerPostUSD: Double
    /// What listening and lists of accounts cost, in words; nil when they are free.
    public var readingCosts: String?

    public init(
        name: String, textRules: TextRules, costPerPostUSD: Double = 0, readingCosts: String? = nil
    ) {
        self.name = name
        self.textRules = textRules
        self.costPerPostUSD = costPerPostUSD
        self.readingCosts = readingCosts
    }
}
