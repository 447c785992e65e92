internal import Hummingbird
internal import NIOCore

/// What belongs to one request.
struct HubContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection, to be closed when a request is not worth reading to its end.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
