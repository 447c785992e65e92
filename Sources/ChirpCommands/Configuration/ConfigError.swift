package import ChirpCore

/// What is wrong with the configuration, and where.
package enum ConfigError: Explained, Hashable {
    case unreadable(path: String, reason: String)
    /// The file is no YAML, or not of the right shape.
    case malformed(path: String, line: Int, reason: String)
    case unknown(key: String, path: String, line: Int, suggestion: String?)
    case badValue(key: String, place: String, value: BadValue, example: String)
    /// A setting that another one needs.
    case incomplete(key: String, neededFor: String, example: String)

    package var whatHappened: String {
        switch self {
        case .unreadable(let path, let reason): "the configuration \(path) cannot be read: \(reason)"
        case .malformed(let path, let line, let reason): "\(path):\(line): \(PlainText(reason, limit: 200))"
        case .unknown(let key, let path, let line, _):
            "\(path):\(line): there is no setting '\(PlainText(key, limit: 100))'"
        case .badValue(let key, let place, let value, _):
            "\(place): '\(value.text)' is no value for \(key): \(value)"
        case .incomplete(let key, let purpose, _): "\(purpose) needs the setting \(key)"
        }
    }

    package var cure: Cure {
        switch self {
        case .unreadable: .advice("Check the path and its permissions")
        case .malformed: .advice("A setting is one line, such as 'preset: voice'; see: chirp config show")
        case .unknown(_, _, _, let suggestion?):
            .advice("Did you mean '\(suggestion)'? All settings: chirp config show")
        case .unknown: .advice("All settings: chirp config show")
        case .badValue(let key, let place, _, let example):
            .advice(
                place.hasPrefix("CHIRP_")
                    ? "Write for example: \(place)=\(example)"
                    : "Write for example: \(key.split(separator: ".").last ?? ""): \(example)")
        case .incomplete(let key, _, let example):
            .advice(
                "Write it into the configuration, or set \(ConfigField.variable(for: key)), for example to \(example)")
        }
    }

    package var exitCode: ChirpCore.ExitCode { .badConfiguration }
}
