package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// Payment by a transfer or in cash: the seller says that the money is there. Needs no account with anybody, so that everything works
/// without one. A bid binds by word alone.
package struct ByHand: PaymentProvider {
    /// By which orders name it.
    package static let name: String = "by-hand"
    package let name: String = Self.name
    package let patience: Double
    package let longestHold: Double = 0
    private let library: HubLibrary
    private let address: @Sendable (HubID) -> String

    /// - Parameters:
    ///   - patience: how long something exclusive waits for the money, in seconds.
    ///   - address: of the page that says how to pay an order.
    package init(
        library: HubLibrary, patience: Double = 3 * 86_400, address: @escaping @Sendable (HubID) -> String
    ) {
        self.library = library
        self.patience = patience
        self.address = address
    }

    package enum Mark: String, Sendable { case paid, refunded }

    /// The seller says that the money has come. That it has gone back either side may say, and a moderator who does not sell it: whether the
    /// seller's word is enough knows who delivers. Whoever says it looks at the order then (``OrderDesk/look(at:)``).
    package func mark(_ id: HubID, _ mark: Mark, by person: AccountID) async throws(OrderRefusal) {
        do {
            try await library.transact { database in
                let now = Accounts.milliseconds(library.now())
                guard let order = try Order.fetch(id, in: database), order.provider == name else {
                    throw OrderRefusal.notFound
                }
                let mayConfirm =
                    try mark == .refunded
                    && (order.buyer == person
                        || AccountStanding(of: person, at: now, in: database)?.isModerator == true)
                guard order.seller == person || mayConfirm else { throw OrderRefusal.notFound }
                let isOpen =
                    switch mark {
                    case .paid: [.reserved, .expired, .failed].contains(order.state)
                    case .refunded: order.state == .refunding
                    }
                guard isOpen else { throw OrderRefusal.changed(order.state) }
                try database.cachedStatement(
                    sql: "INSERT INTO handMarks (purchase, mark, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
                ).execute(arguments: [order.sequence, mark.rawValue, now])
            }
        } catch { throw OrderRefusal(error) }
    }

    package func checkout(_ order: Order) async throws(PaymentError) -> PaymentReport {
        PaymentReport(.pending, PaymentReferences(checkout: order.id.text), address: address(order.id))
    }

    package func hold(_ order: Order) async throws(PaymentError) -> PaymentReport {
        throw .unsupported(provider: name, what: "hold money")
    }

    package func keepCard(_ order: Order) async throws(PaymentError) -> PaymentReport {
        PaymentReport(.kept, PaymentReferences(checkout: order.id.text))
    }

    package func charge(_ order: Order) async throws(PaymentError) -> PaymentReport {
        PaymentReport(try await marks(of: order) ?? .pending, address: address(order.id))
    }

    package func release(_ order: Order) async throws(PaymentError) -> PaymentReport {
        PaymentReport(try await marks(of: order) ?? .closed)
    }

    package func refund(_ order: Order) async throws(PaymentError) -> PaymentReport { try await state(of: order) }

    package func events(_ raw: [UInt8], signature: String) throws(PaymentError) -> [PaymentEvent] {
        throw .unsupported(provider: name, what: "send messages")
    }

    package func state(of order: Order) async throws(PaymentError) -> PaymentReport {
        PaymentReport(try await marks(of: order) ?? .pending)
    }

    private func marks(of order: Order) async throws(PaymentError) -> PaymentReport.Status? {
        let marks: [String]
        do {
            marks = try await library.reading { database in
                try String.fetchAll(
                    database.cachedStatement(sql: "SELECT mark FROM handMarks WHERE purchase = ?"),
                    arguments: [order.sequence])
            }
        } catch { throw .later(provider: name, reason: "\(error)") }
        if marks.contains(Mark.refunded.rawValue) { return .refunded(order.terms.price) }
        return marks.contains(Mark.paid.rawValue) ? .paid(order.terms.price) : nil
    }
}
