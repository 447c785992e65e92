internal import Synchronization

/// A value that is made by the first who asks for it, and then the same for all.
package final class Lazy<Value: Sendable, Failure: Error>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let make: @Sendable () throws(Failure) -> Value

    package init(_ make: @escaping @Sendable () throws(Failure) -> Value) { self.make = make }

    /// A failure is not kept: the next one tries again.
    package func get() throws(Failure) -> Value {
        let result: Result<Value, Failure> = value.withLock { value in
            if let value { return .success(value) }
            do throws(Failure) {
                let made = try make()
                value = made
                return .success(made)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
