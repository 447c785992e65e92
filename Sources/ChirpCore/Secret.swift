/// A token, password or key. Prints and logs as `‹secret›`; only ``reveal()`` gives the text, at the one place that sends it.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    public init(_ text: String) { self.text = text }

    public func reveal() -> String { text }
    public var isEmpty: Bool { text.isEmpty }
    public var description: String { "‹secret›" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
