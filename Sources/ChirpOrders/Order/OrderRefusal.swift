package import ChirpCommunity
package import FoundationEssentials

/// Why an order was not taken, or not moved.
package enum OrderRefusal: Error, Hashable, Sendable {
    /// The key is missing or too long, or it is somebody else's.
    case badKey
    /// Longer than 200 bytes.
    case badTerms
    /// Below 0, above ``Money/most``, or nothing for a bid.
    case badPrice
    /// The exclusive of this work is sold.
    case sold
    /// Somebody is paying for the exclusive of this work: free again then, unless she has paid.
    case taken(until: Date)
    /// The buyer has as many orders that wait to be paid as one may have (``OrderStore/mostOpen``).
    case tooManyOpen(most: Int)
    /// Nobody buys of himself.
    case own
    /// Suspended, closed or not confirmed: the buyer, or the seller.
    case noAccount
    /// There is no such order for who asks.
    case notFound
    /// There is no such way to pay here.
    case noProvider(String)
    /// It is in another state by now.
    case changed(Order.State)
    /// What the provider says; the order stays as it is, or has failed.
    case payment(PaymentError)
    /// What was paid cannot be delivered now, in words; it is tried again.
    case delivery(String)
    case library(LibraryError)

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as OrderRefusal: self = error
        case let error as LibraryError: self = .library(error)
        case let error as PaymentError: self = .payment(error)
        default: self = .library(.inputOutput(path: "orders", reason: "\(error)"))
        }
    }
}
