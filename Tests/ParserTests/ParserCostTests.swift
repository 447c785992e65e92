import Foundation
import Testing

/// No parser of bytes from outside costs more than their number bounds: 20 ms of processor time for 64 KiB, whatever stands in them.
@Suite struct ParserCostTests {
    @Test(arguments: Parser.all) func `a parser's worst shapes cost no more than their length`(parser: Parser) {
        let costs = parser.costs()
        for cost in costs where cost.seconds > cost.most {
            Issue.record(
                """
                \(parser.name): \(cost.bytes) bytes of \(cost.shape.debugDescription) cost \(Self.milliseconds(cost.seconds)), \
                more than \(Self.milliseconds(cost.most))
                """)
        }
        guard ProcessInfo.processInfo.environment["CHIRP_SHOW_COSTS"] != nil,
            let worst = costs.max(by: { $0.seconds / $0.most < $1.seconds / $1.most })
        else { return }
        print(
            "cost: \(parser.name) | \(costs.count) | \(worst.shape.debugDescription) | \(worst.bytes) | "
                + "\(Self.milliseconds(worst.seconds)) of \(Self.milliseconds(worst.most))")
    }

    private static func milliseconds(_ seconds: Double) -> String { String(format: "%.2f ms", seconds * 1000) }
}
