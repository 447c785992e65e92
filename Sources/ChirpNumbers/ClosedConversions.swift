/// Conversions that end the program for some values, or that make a number of text and ask for no range. They are shadowed here by ones
/// that are deprecated, and warnings are errors: the compiler finds, by the types of what is converted, every call in the modules that
/// import this one, which are all those of the hub (`guarded` in `Package.swift`).
///
/// What a call says instead: `text.integer(in:)`, `text.decimal(in:)`, `text.safeInteger`, `PageCursor(text)`; `Int(clamping: number)` or
/// `Int(exactly: number)`. `Docs/reliability.md` says what this does not find. They are public so that a test can try them.
extension FixedWidthInteger {
    @available(*, deprecated, message: "text passes text.integer(in:), text.safeInteger or PageCursor(text)")
    public init?(_ text: String) { nil }

    @available(*, deprecated, message: "text passes text.integer(in:), text.safeInteger or PageCursor(text)")
    public init?<Text: StringProtocol>(_ text: Text, radix: Int = 10) { nil }

    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init<Number: BinaryFloatingPoint>(_ number: Number) { self = 0 }

    /// The nearest number of this type; 0 for what is no number. The fraction is cut off.
    @inlinable public init(clamping number: Double) {
        let whole = number.rounded(.towardZero)
        self = Self(exactly: whole) ?? (whole.isNaN ? 0 : whole < 0 ? .min : .max)
    }
}

extension Double {
    @available(*, deprecated, message: "text passes text.decimal(in:)")
    public init?<Text: StringProtocol>(_ text: Text) { nil }

    @available(*, deprecated, message: "text passes text.decimal(in:)")
    public init?(_ text: String) { nil }

    @available(*, deprecated, message: "text passes text.decimal(in:)")
    public init?(_ text: Substring) { nil }
}

extension Float {
    @available(*, deprecated, message: "text passes text.decimal(in:)")
    public init?<Text: StringProtocol>(_ text: Text) { nil }

    @available(*, deprecated, message: "text passes text.decimal(in:)")
    public init?(_ text: String) { nil }

    @available(*, deprecated, message: "text passes text.decimal(in:)")
    public init?(_ text: Substring) { nil }
}

extension Int {
    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Double) { self.init(clamping: number) }

    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension Int8 {
    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Double) { self.init(clamping: number) }

    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension Int16 {
    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Double) { self.init(clamping: number) }

    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension Int32 {
    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Double) { self.init(clamping: number) }

    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension Int64 {
    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Double) { self.init(clamping: number) }

    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension UInt {
    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Double) { self.init(clamping: number) }

    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension UInt8 {
    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Double) { self.init(clamping: number) }

    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension UInt16 {
    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Double) { self.init(clamping: number) }

    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension UInt32 {
    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Double) { self.init(clamping: number) }

    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension UInt64 {
    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Double) { self.init(clamping: number) }

    @available(*, deprecated, message: "a fraction may be anything: (clamping:) or (exactly:)")
    public init(_ number: Float) { self.init(clamping: Double(number)) }
}
