internal import Logging

extension HubNetwork {
    /// Says when it is worth looking at the feed: at once, after every change by any process, and now and then besides.
    ///
    /// The same watching that feeds the hub's event stream (``HubWatch``), without the hub being served. It ends when nobody
    /// iterates any more. Opens a connection of its own: blocks for a moment.
    public func arrivals() throws(HubError) -> AsyncStream<Void> {
        let watch = try HubWatch(
            library: library, settings: try HubSettings(), clock: ContinuousClock(), logger: Logger(label: "chirp.hub"))
        let (signals, ear) = watch.listen()
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            async let watching: Void? = try? await watch.run()
            for await _ in signals { continuation.yield() }
            _ = await watching
            continuation.finish()
        }
        continuation.onTermination = { _ in
            watch.leave(ear)
            task.cancel()
        }
        return stream
    }
}
