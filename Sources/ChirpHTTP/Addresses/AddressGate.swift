/// Decides for one transfer to which of a name's addresses a connection may be opened, and what came of it in the end.
///
/// libcurl tries several addresses, of both families and some of them at once (RFC 8305): what counts is the one that is about
/// to be connected, each time. A private address among public ones is passed over. Only when nothing but such addresses
/// was to be had does the name lead to a private place.
package struct AddressGate: Sendable {
    private let onlyPublic: Bool
    private var hasRefused = false
    private var hasAdmitted = false

    package init(onlyPublic: Bool) { self.onlyPublic = onlyPublic }

    /// Whether this address may be connected.
    ///
    /// - Parameter bytes: 4 or 16, in network order; anything else is no address.
    package mutating func admits(_ bytes: [UInt8]) -> Bool {
        guard !onlyPublic || PublicAddress.isPublic(bytes) else {
            hasRefused = true
            return false
        }
        hasAdmitted = true
        return true
    }

    /// Whether a transfer that has failed did so because every address was refused.
    package var hasRefusedAll: Bool { hasRefused && !hasAdmitted }
}
