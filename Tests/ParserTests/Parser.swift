import Testing

/// Something that reads what strangers send.
struct Parser: Sendable, CustomTestStringConvertible {
    let name: String
    /// The most bytes that it is given where it is used.
    let limit: Int
    private let own: [WorstShape]
    private let read: @Sendable ([UInt8]) -> Void

    var testDescription: String { name }

    /// - Parameters:
    ///   - limit: the most bytes that it is given where it is used.
    ///   - own: what is hard for it, besides what is hard for others.
    init(
        _ name: String, limit: Int = ProcessorTime.share, _ own: [WorstShape] = [],
        read: @escaping @Sendable ([UInt8]) -> Void
    ) {
        (self.name, self.limit, self.own, self.read) = (name, limit, own, read)
    }

    /// The same of text.
    static func text(
        _ name: String, limit: Int = ProcessorTime.share, _ own: [WorstShape] = [],
        read: @escaping @Sendable (String) -> Void
    ) -> Parser { Parser(name, limit: limit, own) { read(String(decoding: $0, as: UTF8.self)) } }

    /// What it takes for one of the shapes.
    struct Cost: Sendable {
        let shape: String
        let bytes: Int
        /// Of processor time, the least of some tries.
        let seconds: Double
        /// The most that the oracle allows.
        let most: Double
    }

    /// Every shape at 64 KiB or its limit, whichever is less, and its own ones at its limit.
    func costs() -> [Cost] {
        #if DEBUG
            let usual = ProcessorTime.share / 4
        #else
            let usual = ProcessorTime.share
        #endif
        let all = (own + WorstShape.common).map { ($0, min(usual, limit)) }
        return (all + (limit > usual ? own.map { ($0, limit) } : [])).map { cost($0, $1) }
    }

    private func cost(_ shape: WorstShape, _ size: Int) -> Cost {
        let bytes = shape.bytes(size)
        let share = max(Double(bytes.count) / Double(ProcessorTime.share), 0.25)
        let most = ProcessorTime.most * share
        // What other programs do to caches and to the other half of a processor counts too: the least of many tries, for half a second.
        var (least, spent) = (Double.infinity, 0.0)
        for _ in 0..<40 where least > most && spent < 0.5 {
            let seconds = ProcessorTime.of { read(bytes) }
            least = min(least, seconds > most ? seconds / ProcessorTime.slowness() : seconds)
            spent += seconds
        }
        return Cost(shape: shape.name, bytes: bytes.count, seconds: least, most: most)
    }
}
