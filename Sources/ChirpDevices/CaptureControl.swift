/// Stops a running capture from another thread or task.
public struct CaptureControl: Sendable {
    let capture: CaptureStream

    /// Ends the capture in good order: what was captured so far is still read, then the reader reports the end.
    public func stop() { capture.stop() }

    /// Gives up: a waiting reader throws ``AudioError/cancelled`` at once.
    public func cancel() { capture.connection.cancel() }
}
