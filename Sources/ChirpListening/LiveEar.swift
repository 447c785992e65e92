package import NIOCore

/// A browser that hears of a session's events, as the desk knows it.
package struct LiveEar: Sendable {
    let push: @Sendable ([ByteBuffer]) -> Void
    let beat: @Sendable () -> Void
    let end: @Sendable () -> Void

    /// - Parameters:
    ///   - push: takes the pieces of one event. Must not wait.
    ///   - beat: shows that the connection is alive.
    ///   - end: nothing more will be pushed.
    package init(
        push: @escaping @Sendable ([ByteBuffer]) -> Void, beat: @escaping @Sendable () -> Void = {},
        end: @escaping @Sendable () -> Void = {}
    ) {
        (self.push, self.beat, self.end) = (push, beat, end)
    }
}
