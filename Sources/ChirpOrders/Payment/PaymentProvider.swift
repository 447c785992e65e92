package import ChirpAccounts
package import GRDB

/// Whoever moves money for orders. It goes from the buyer to the seller's own account, never through the hub.
///
/// Every act may be repeated with the same order: it is done once, because the provider is told the same key, made of order and
/// step. Each answers how things stand after it. The state of an order comes from such answers alone.
package protocol PaymentProvider: Sendable {
    /// What orders call it, as in `stripe`; lasting.
    var name: String { get }

    /// How long a buyer has for paying, in seconds.
    var patience: Double { get }

    /// How long a hold lasts for sure, in seconds; 0 when it holds nothing.
    var longestHold: Double { get }

    /// To whose account somebody's sales are paid from now on; nil: she is not paid by this provider. Asked within the transaction that reserves an
    /// order, which keeps the answer (``Order/account``).
    func account(of seller: AccountID, in database: Database) throws -> PaymentAccount?

    /// Asks how a seller's account stands, and writes that down.
    ///
    /// - Returns: false for one that nobody here has.
    func look(atAccount account: String) async throws(PaymentError) -> Bool

    /// Makes the page where the order is paid.
    func checkout(_ order: Order) async throws(PaymentError) -> PaymentReport

    /// Makes the page where the money is held, to be taken by ``charge(_:)``.
    func hold(_ order: Order) async throws(PaymentError) -> PaymentReport

    /// Makes the page where the card is kept, to be charged by ``charge(_:)``.
    func keepCard(_ order: Order) async throws(PaymentError) -> PaymentReport

    /// Takes what is held, or charges the card that was kept.
    func charge(_ order: Order) async throws(PaymentError) -> PaymentReport

    /// Lets go of all that is open: a page is closed, a hold ended, a card forgotten. What was paid meanwhile stays, and is told.
    func release(_ order: Order) async throws(PaymentError) -> PaymentReport

    /// Gives back all that was paid.
    func refund(_ order: Order) async throws(PaymentError) -> PaymentReport

    /// Reads a message that came by itself.
    ///
    /// - Parameters:
    ///   - raw: its content, byte by byte as it came.
    ///   - signature: what proves who sent it.
    func events(_ raw: [UInt8], signature: String) throws(PaymentError) -> [PaymentEvent]

    /// Asks how things stand.
    func state(of order: Order) async throws(PaymentError) -> PaymentReport
}

extension PaymentProvider {
    /// Everybody can be paid.
    package func account(of seller: AccountID, in database: Database) throws -> PaymentAccount? { .own }

    package func look(atAccount account: String) async throws(PaymentError) -> Bool { false }
}
