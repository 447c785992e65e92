/// Figures as Prometheus reads them (its text format, version 0.0.4).
package struct MetricsPage: Sendable {
    package enum Kind: String, Sendable { case counter, gauge, histogram }

    package private(set) var text = ""
    private var name = ""

    package init() {}

    /// Begins a family of figures.
    ///
    /// - Parameters:
    ///   - name: letters, digits and `_`.
    ///   - help: one line.
    package mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        self.name = "\(name)"
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// A figure of the family that was begun last.
    package mutating func add(_ labels: [String: String], _ value: Double, suffix: StaticString = "") {
        let pairs = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escape($0.value))\"" }
        let list = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
        let isWhole = value == value.rounded() && abs(value) < 1e15
        text += "\(name)\(suffix)\(list) \(isWhole ? "\(Int64(clamping: value))" : "\(value)")\n"
    }

    private static func escape(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }
}
