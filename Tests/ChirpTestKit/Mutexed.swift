internal import Synchronization

/// A value behind a lock that closures can hold.
public final class Mutexed<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>
    public init(_ value: Value) { mutex = Mutex(value) }
    public var value: Value { mutex.withLock { $0 } }
    public func change(_ body: (inout Value) -> Void) { mutex.withLock { body(&$0) } }
}
