package import ChirpHTTP
internal import ChirpNetworks

/// With whom a hub speaks, and who may speak for whom. Addresses behind names are checked by the transport
/// (``CurlSettings/onlyPublicAddresses``).
package struct FederationRules: Hashable, Sendable {
    private let allowsLoopback: Bool

    /// - Parameter allowsLoopback: plain http to this machine too, for tests.
    package init(allowsLoopback: Bool = false) { self.allowsLoopback = allowsLoopback }

    /// Why an address may not be asked; nil when it may. The same as for strangers' clips.
    package func refusal(of address: WebAddress) -> String? {
        if allowsLoopback && address.isLoopback { return nil }
        return HostRules.refusalByStranger(of: address)
    }

    /// Why an activity is not the word of the key that has signed it; nil when it is: the actor owns the key, and actor, key and activity
    /// are of one origin.
    ///
    /// - Parameter signer: the actor whose ``RemoteActor/key`` has signed.
    package func refusal(of activity: IncomingActivity, signedBy signer: RemoteActor) -> DocumentError? {
        if activity.actor != signer.id { return .foreign("actor") }
        if let key = signer.key, key.id.origin != signer.id.origin { return .foreign("publicKey") }
        if let id = activity.id, id.origin != activity.actor.origin { return .foreign("id") }
        return nil
    }
}
