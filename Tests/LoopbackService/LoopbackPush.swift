public import ChirpHTTP
internal import Crypto
internal import Foundation
internal import Synchronization

/// A push service on 127.0.0.1 with its browsers, which can also misbehave. It decrypts what it takes by an inverse of its own
/// (RFC 8291, section 4), and checks the sender's proof (RFC 8292).
public final class LoopbackPush: Sendable {
    /// A browser that has subscribed.
    public struct Browser: Sendable {
        public let endpoint: String
        /// In base 64 for addresses.
        public let key: String
        public let secret: String
        fileprivate let name: String
        fileprivate let privateKey: P256.KeyAgreement.PrivateKey
        fileprivate let auth: [UInt8]
    }

    /// What a browser was told.
    public struct Message: Sendable {
        /// The last part of the browser's endpoint.
        public let browser: String
        public let text: String
        public let headers: HTTPHeaders
        /// The claims of the proof, in JSON.
        public let claims: String
    }

    private struct State {
        var browsers: [String: Browser] = [:]
        var messages: [Message] = []
        var faults: [String: [LoopbackServer.Reply]] = [:]
        var failures: [String] = []
    }

    private final class Book: Sendable { let state = Mutex(State()) }

    private let book = Book()
    private let server: LoopbackServer

    public init() throws {
        let book = book
        server = try LoopbackServer { request in Self.answer(request, book) }
    }

    public var base: String { server.base }
    /// What was taken and could be read.
    public var messages: [Message] { book.state.withLock { $0.messages } }
    /// Why something could not be read.
    public var failures: [String] { book.state.withLock { $0.failures } }
    /// The browsers that were asked for, in order, whatever was answered.
    public var asked: [String] { server.requests.map { String($0.path.split(separator: "/").last ?? "") } }

    /// A browser subscribes.
    public func browser(_ name: String) -> Browser {
        let key = P256.KeyAgreement.PrivateKey()
        let auth = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let browser = Browser(
            endpoint: "\(base)/push/\(name)", key: Self.text(key.publicKey.x963Representation),
            secret: Self.text(Data(auth)), name: name, privateKey: key, auth: auth)
        book.state.withLock { $0.browsers[name] = browser }
        return browser
    }

    /// What is answered for a browser instead, one after the other.
    public func answer(_ replies: [LoopbackServer.Reply], for browser: Browser) {
        book.state.withLock { $0.faults[browser.name, default: []] += replies }
    }

    private static func answer(_ request: LoopbackServer.Request, _ book: Book) -> LoopbackServer.Reply {
        book.state.withLock { state in
            let name = String(request.path.split(separator: "/").last ?? "")
            guard let browser = state.browsers[name], request.method == "POST" else { return .init(404) }
            if let fault = state.faults[name]?.first {
                state.faults[name]?.removeFirst()
                return fault
            }
            do {
                let claims = try proof(request.headers["Authorization"] ?? "")
                let text = String(decoding: try open(request.body, browser), as: UTF8.self)
                state.messages.append(Message(browser: name, text: text, headers: request.headers, claims: claims))
                return .init(201)
            } catch {
                state.failures.append("\(error)")
                return .init(400)
            }
        }
    }

    private enum Fault: Error { case short, delimiter, proof }

    private static func open(_ body: [UInt8], _ browser: Browser) throws -> [UInt8] {
        guard body.count > 103, body[20] == 65 else { throw Fault.short }
        let (salt, sender, sealed) = (Data(body[..<16]), Data(body[21..<86]), body[86...])
        let own = browser.privateKey.publicKey.x963Representation
        let shared = try browser.privateKey.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: sender))
        let secret = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: Data(browser.auth), sharedInfo: Data("WebPush: info\0".utf8) + own + sender,
            outputByteCount: 32)
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, salt: salt, info: Data("Content-Encoding: aes128gcm\0".utf8), outputByteCount: 16)
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, salt: salt, info: Data("Content-Encoding: nonce\0".utf8), outputByteCount: 12)
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: nonce.withUnsafeBytes { Data($0) }), ciphertext: Data(sealed.dropLast(16)),
            tag: Data(sealed.suffix(16)))
        var record = try AES.GCM.open(box, using: key)
        while record.last == 0 { record.removeLast() }
        guard record.popLast() == 2 else { throw Fault.delimiter }
        return Array(record)
    }

    /// The claims, once the signature is good for the key beside it.
    private static func proof(_ header: String) throws -> String {
        guard let match = header.wholeMatch(of: #/vapid t=([\w\-]+)\.([\w\-]+)\.([\w\-]+),k=([\w\-]+)/#),
            let claims = data(match.2), let signature = data(match.3), let key = data(match.4)
        else { throw Fault.proof }
        let isGood = try P256.Signing.PublicKey(x963Representation: key).isValidSignature(
            P256.Signing.ECDSASignature(rawRepresentation: signature), for: Data("\(match.1).\(match.2)".utf8))
        guard isGood else { throw Fault.proof }
        return String(decoding: claims, as: UTF8.self)
    }

    private static func text(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func data(_ text: Substring) -> Data? {
        var plain = text.replacing("-", with: "+").replacing("_", with: "/")
        while plain.count % 4 != 0 { plain += "=" }
        return Data(base64Encoded: String(plain))
    }
}
