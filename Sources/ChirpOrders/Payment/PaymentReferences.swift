/// What a provider calls the parts of an order's payment. Parts that are not there yet are nil; what is known never changes.
package struct PaymentReferences: Hashable, Sendable {
    /// The page.
    package var checkout: String?
    /// The money that moves, or is held.
    package var payment: String?
    /// Whose card it is.
    package var customer: String?
    package var card: String?
    package var refund: String?

    package init(
        checkout: String? = nil, payment: String? = nil, customer: String? = nil, card: String? = nil,
        refund: String? = nil
    ) {
        self.checkout = checkout
        self.payment = payment
        self.customer = customer
        self.card = card
        self.refund = refund
    }

    /// These, with what others know beside them.
    package func filled(from others: PaymentReferences) -> PaymentReferences {
        PaymentReferences(
            checkout: checkout ?? others.checkout, payment: payment ?? others.payment,
            customer: customer ?? others.customer, card: card ?? others.card, refund: refund ?? others.refund)
    }
}
