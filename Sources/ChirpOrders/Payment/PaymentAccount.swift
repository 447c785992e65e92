/// To whose account with a provider an order is paid. It is written down with the order, and what is asked about the order later is asked there.
package enum PaymentAccount: Hashable, Sendable {
    /// The one whose key the hub has; also where no account is needed.
    case own
    /// A seller's own, by the provider's name for it, as in `acct_...`: no secret.
    case connected(String)

    /// As it is kept in the library.
    init(_ name: String?) { self = name.map(Self.connected) ?? .own }

    /// Nil: ``own``.
    package var name: String? {
        guard case .connected(let name) = self else { return nil }
        return name
    }
}
