/// How a good file of one kind is made: what comes first, parts that may come in any order, and what comes last.
public struct HostileRecipe: Sendable {
    public var name: String
    var head = HostilePart()
    var parts: [HostilePart] = []
    var tail = HostilePart()
}

extension HostileRecipe {
    /// The good file itself.
    public var unchanged: [UInt8] {
        ([head] + parts + [tail]).flatMap { part in
            var bytes = part.bytes
            part.seal?(&bytes)
            return bytes
        }
    }
}
