public import ChirpJournal

/// So that tests may write the numbers of clips as they are.
extension PlayID: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int64) { self.init(rawValue: number) }
}
