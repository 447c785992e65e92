/// A part that is there as its id, or whole where that was asked for.
enum Expandable<Whole: Decodable & Sendable>: Decodable, Sendable {
    case id(String)
    case whole(Whole)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let id = try? container.decode(String.self) {
            self = .id(id)
        } else {
            self = .whole(try container.decode(Whole.self))
        }
    }

    var whole: Whole? {
        guard case .whole(let whole) = self else { return nil }
        return whole
    }
}

extension Expandable where Whole: Identifiable, Whole.ID == String {
    var id: String {
        switch self {
        case .id(let id): id
        case .whole(let whole): whole.id
        }
    }
}

/// What is read of the service's objects (docs.stripe.com/api); the rest is left alone.
enum StripeObject {
    struct Named: Decodable, Sendable, Identifiable { let id: String }

    struct List<Element: Decodable & Sendable>: Decodable, Sendable { let data: [Element] }

    struct Session: Decodable, Sendable, Identifiable {
        let id: String
        let url: String?
        /// `open`, `complete` or `expired`.
        let status: String?
        let mode: String?
        let metadata: [String: String]?
        let customer: Expandable<Named>?
        let paymentIntent: Expandable<Intent>?
        let setupIntent: Expandable<Setup>?

        enum CodingKeys: String, CodingKey {
            case id, url, status, mode, metadata, customer
            case paymentIntent = "payment_intent"
            case setupIntent = "setup_intent"
        }
    }

    struct Intent: Decodable, Sendable, Identifiable {
        let id: String
        let status: String
        let amount: Int64
        let received: Int64?
        let capturable: Int64?
        let currency: String
        let metadata: [String: String]?
        let customer: Expandable<Named>?
        let card: Expandable<Named>?
        let charge: Expandable<Charge>?

        enum CodingKeys: String, CodingKey {
            case id, status, amount, currency, metadata, customer
            case received = "amount_received"
            case capturable = "amount_capturable"
            case card = "payment_method"
            case charge = "latest_charge"
        }
    }

    struct Setup: Decodable, Sendable, Identifiable {
        let id: String
        let status: String
        let card: Expandable<Named>?
        let metadata: [String: String]?

        enum CodingKeys: String, CodingKey {
            case id, status, metadata
            case card = "payment_method"
        }
    }

    struct Charge: Decodable, Sendable, Identifiable {
        let id: String
        let refunded: Bool?
        let disputed: Bool?
    }

    struct Account: Decodable, Sendable, Identifiable {
        let id: String
        let mayBeCharged: Bool?
        let metadata: [String: String]?

        enum CodingKeys: String, CodingKey {
            case id, metadata
            case mayBeCharged = "charges_enabled"
        }
    }

    struct Link: Decodable, Sendable { let url: String }

    struct Dispute: Decodable, Sendable { let status: String }

    struct Refund: Decodable, Sendable, Identifiable {
        let id: String
        let status: String?
        let amount: Int64
        let currency: String
    }

    struct Failure: Decodable, Sendable {
        struct Reason: Decodable, Sendable {
            let type: String?
            let code: String?
            let declineCode: String?

            enum CodingKeys: String, CodingKey {
                case type, code
                case declineCode = "decline_code"
            }
        }
        let error: Reason
    }
}
