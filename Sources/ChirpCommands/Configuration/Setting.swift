/// A value of the configuration and where it came from.
package struct Setting<Value: ConfigValue>: Sendable {
    package var value: Value
    package var origin: Origin

    /// A built-in default.
    package init(_ value: Value) {
        self.value = value
        origin = .builtIn
    }

    /// A flag of the command line wins over everything, when it is given.
    package mutating func override(_ given: Value?, by flag: String) {
        guard let given else { return }
        value = given
        origin = .flag(flag)
    }
}

/// Where a setting was made. Later cases win over earlier ones.
package enum Origin: Hashable, Sendable, CustomStringConvertible {
    case builtIn
    case file(path: String, line: Int)
    case environment(name: String)
    case flag(String)

    package var description: String {
        switch self {
        case .builtIn: "built in"
        case .file(let path, let line): "\(path):\(line)"
        case .environment(let name): name
        case .flag(let name): name
        }
    }
}

/// What a flag says that can also be switched off with `none`; the flag itself may be absent.
package struct Choice<Value: ConfigValue>: Sendable {
    package let value: Value?

    package init(_ value: Value?) { self.value = value }
}

extension Setting {
    /// A flag of the command line wins over everything, when it is given.
    package mutating func override<Wrapped: ConfigValue>(_ given: Choice<Wrapped>?, by flag: String)
    where Value == Wrapped? {
        guard let given else { return }
        value = given.value
        origin = .flag(flag)
    }
}
