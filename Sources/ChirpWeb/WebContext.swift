package import Hummingbird
internal import NIOCore

/// What belongs to one request.
package struct WebContext: RequestContext {
    /// What Hummingbird keeps of it.
    package var coreContext: CoreRequestContextStorage
    /// Who asks.
    package let holder: AddressShares.Holder

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        holder = AddressShares.Holder(source.channel.remoteAddress)
    }
}
