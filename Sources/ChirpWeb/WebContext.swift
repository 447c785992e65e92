internal import Hummingbird
internal import NIOCore

/// What belongs to one request.
struct HubContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who asks.
    let holder: AddressShares.Holder

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        holder = AddressShares.Holder(source.channel.remoteAddress)
    }
}
