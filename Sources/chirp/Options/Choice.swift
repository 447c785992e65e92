/// What a flag says that can also be switched off with `none`; the flag itself may be absent.
struct Choice<Value: ConfigValue>: Sendable {
    let value: Value?

    init(_ value: Value?) { self.value = value }
}

extension Setting {
    /// A flag of the command line wins over everything, when it is given.
    mutating func override<Wrapped: ConfigValue>(_ given: Choice<Wrapped>?, by flag: String) where Value == Wrapped? {
        guard let given else { return }
        value = given.value
        origin = .flag(flag)
    }
}
