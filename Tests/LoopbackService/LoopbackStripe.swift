internal import Crypto
internal import Foundation
internal import Synchronization

/// A payment service on 127.0.0.1 that speaks as Stripe does (docs.stripe.com/api): payment pages, payment intents with manual capture, kept
/// cards, refunds, disputes, idempotency keys, and signed messages, which tests take from it to deliver them twice, late, in any order or
/// never. Its money is nobody's.
public final class LoopbackStripe: Sendable {
    /// A message, not yet signed.
    public struct Message: Sendable {
        public let id: String
        public let type: String
        public let content: [UInt8]
        /// At which connected account it happened; nil: at the key's. The two go to endpoints with secrets of their own.
        public let account: String?

        public init(id: String, type: String, content: [UInt8], account: String? = nil) {
            self.id = id
            self.type = type
            self.content = content
            self.account = account
        }
    }

    /// How a message is spoilt on its way.
    public enum Fault: Sendable, CaseIterable {
        case none, forged, unsigned, wrongAmount, otherCurrency
    }

    /// A message as it arrives.
    public struct Delivery: Sendable {
        public let content: [UInt8]
        public let signature: String
    }

    /// What buyers pay with.
    public enum Card: String, Sendable {
        case good = "pm_card_visa"
        /// Can be kept, and pays nothing.
        case empty = "pm_card_chargeCustomerFail"
    }

    struct State {
        var objects: [String: [String: any Sendable]] = [:]
        /// By key: what was asked and answered.
        var answers: [String: (question: [UInt8], reply: LoopbackServer.Reply)] = [:]
        var faults: [(path: String, reply: LoopbackServer.Reply)] = []
        var stalls: Set<String> = []
        var messages: [Message] = []
        var count = 0
        /// In Unix seconds.
        var now: Int64 = 1_800_000_000
        var charged: [String: Int64] = [:]
        /// The account that is asked about at this moment; empty: the one whose key it is.
        var asker = ""
        /// At which account something is; without one: at the key's.
        var owners: [String: String] = [:]
        /// What accounts have received, by account and currency.
        var received: [String: Int64] = [:]
        /// Accounts that are connected no more.
        var left: Set<String> = []
        var isPlatform = true
        var links: [String: Link] = [:]
    }

    final class Book: Sendable { let state = Mutex(State()) }

    /// The key that it knows.
    public static let key = "sk_test_loopback"
    let book = Book()
    private let server: LoopbackServer

    public init(port: UInt16 = 0) throws {
        let book = book
        server = try LoopbackServer(port: port) { _, path, _ in
            book.state.withLock { $0.stalls.contains(path) } ? .stall : .read
        } handler: { request in
            Self.answer(request, book)
        }
    }

    public var base: String { server.base }
    public var requests: [LoopbackServer.Request] { server.requests }
    /// Everything that it has told, in order.
    public var messages: [Message] { book.state.withLock { $0.messages } }
    public func close() { server.close() }

    /// What its clock shows, in Unix seconds.
    public func set(now: Int64) { book.state.withLock { $0.now = now } }

    /// What is answered at a path instead, one after the other. With a reply that is lost
    /// (``LoopbackServer/Reply/lost``) what was asked is done all the same.
    public func answer(_ replies: [LoopbackServer.Reply], at path: String) {
        book.state.withLock { $0.faults += replies.map { (path, $0) } }
    }

    /// Answers as it should from now on.
    public func recover() { book.state.withLock { $0.faults = [] } }

    /// Keys are known for a day only.
    public func forgetKeys() { book.state.withLock { $0.answers = [:] } }

    /// Never answers at a path, until it is told otherwise.
    public func stall(_ path: String, _ isStalled: Bool = true) {
        book.state.withLock { state in
            if isStalled { state.stalls.insert(path) } else { state.stalls.remove(path) }
        }
    }

    /// What the accounts behind it have received, by currency: payments without what went back.
    public func balance(_ currency: String) -> Int64 {
        book.state.withLock { $0.charged[currency] ?? 0 }
    }

    /// The objects of a kind, as in `checkout.session`.
    public func count(of kind: String, where status: String? = nil) -> Int {
        book.state.withLock { state in
            state.objects.values.count { object in
                object["object"] as? String == kind && (status == nil || object["status"] as? String == status)
            }
        }
    }

    /// A message on its way.
    public static func delivery(
        of message: Message, secret: String, at time: Int64, fault: Fault = .none
    ) -> Delivery {
        var text = String(decoding: message.content, as: UTF8.self)
        switch fault {
        case .wrongAmount:
            text = text.replacing(#/"(amount_total|amount_received)":(\d+)/#) { "\"\($0.1)\":\($0.2)1" }
        case .otherCurrency: text = text.replacing(#/"currency":"[a-z]{3}"/#) { _ in "\"currency\":\"sek\"" }
        case .none, .forged, .unsigned: break
        }
        let key = SymmetricKey(data: Data((fault == .forged ? "whsec_guessed" : secret).utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data("\(time).\(text)".utf8), using: key)
        let signature = fault == .unsigned ? "t=\(time)" : "t=\(time),v1=\(hexadecimal(code)),v0=00"
        return Delivery(content: Array(text.utf8), signature: signature)
    }
}
