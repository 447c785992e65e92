public import ChirpCommunity

extension HubNetwork {
    /// Says when it is worth looking at the feed: at once, after every change by any process, and now and then besides.
    ///
    /// The same watching that feeds the hub's event stream (``LibraryWatch``), without the hub being served. It ends when nobody
    /// iterates any more. Opens a connection of its own: blocks for a moment.
    public func arrivals() throws(LibraryError) -> AsyncStream<Void> {
        let watch = try LibraryWatch(library)
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let ear = watch.listen { _ in continuation.yield() }
        let task = Task {
            try? await watch.run()
            continuation.finish()
        }
        continuation.onTermination = { _ in
            watch.leave(ear)
            task.cancel()
        }
        return stream
    }
}
