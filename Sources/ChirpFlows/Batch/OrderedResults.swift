/// Puts what becomes ready in any order back into the order of a list.
package struct OrderedResults<Value> {
    /// The place of the next one in the list.
    package private(set) var next: Int
    private var waiting: [Int: Value] = [:]

    package init(from first: Int = 0) { next = first }

    /// How many wait for an earlier one.
    package var count: Int { waiting.count }

    package mutating func add(_ value: Value, at index: Int) {
        precondition(index >= next && waiting[index] == nil)
        waiting[index] = value
    }

    /// Takes the next one when it is ready.
    package mutating func take() -> Value? {
        guard let value = waiting.removeValue(forKey: next) else { return nil }
        next += 1
        return value
    }

    /// Goes past one that will not come.
    package mutating func skip() { next += 1 }

    /// Takes the rest, in order, past what will not come.
    package mutating func takeAll() -> [(index: Int, value: Value)] {
        defer { waiting = [:] }
        return waiting.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
