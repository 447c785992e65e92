import ChirpCore
import ChirpFederation
import ChirpHTTP
import Foundation
import Synchronization

/// Another server, as strict as one can be: it answers nobody whose signature it cannot check, and does badly on demand.
final class PeerServer: HTTPTransport {
    /// What it does at a path instead of answering as it should, once for each that is said.
    enum Fault: Sendable {
        case answers(Int, HTTPHeaders = [:], body: [UInt8] = [])
        /// Believes only signatures of the other kind.
        case believesOnly(SignatureScheme)
        case breaks
        /// Never answers.
        case hangs
        /// Never answers, and whoever waits has waited long enough.
        case outlasts(PatienceClock)
        /// Reads something else than was sent.
        case mishears
    }

    struct Delivered: Sendable {
        let path: String
        let id: String
        let type: String
        let document: DocumentValue
    }

    private struct State {
        var documents: [String: [UInt8]] = [:]
        var faults: [String: [Fault]] = [:]
        var delivered: [Delivered] = []
        var asked: [String] = []
        var knows: (@Sendable (ObjectID) async -> String?)?
        var isFast = 0.0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// What was taken, each time that it came.
    var delivered: [Delivered] { state.withLock { $0.delivered } }
    /// The paths that were asked for.
    var asked: [String] { state.withLock { $0.asked } }

    /// Sets its clock.
    ///
    /// - Parameter seconds: what it is fast by.
    func set(fast seconds: Double) { state.withLock { $0.isFast = seconds } }
    /// - Parameter knows: gives the public key of an actor of the hub, as its document has it.
    func trust(_ knows: @escaping @Sendable (ObjectID) async -> String?) { state.withLock { $0.knows = knows } }
    func put(_ document: DocumentValue, at address: String) {
        state.withLock { $0.documents[address] = document.bytes }
    }
    func put(_ bytes: [UInt8], at address: String) { state.withLock { $0.documents[address] = bytes } }
    func fail(_ address: String, _ faults: Fault...) { state.withLock { $0.faults[address, default: []] += faults } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let address = request.address.text
        let fault = state.withLock { state -> Fault? in
            state.asked.append(address)
            guard let faults = state.faults[address], !faults.isEmpty else { return nil }
            return state.faults[address]?.removeFirst()
        }
        switch fault {
        case .answers(let status, let headers, let body):
            if case .memory(let limit) = request.sink, body.count > limit {
                throw .tooLarge(host: request.address.host, limit: ByteCount(limit))
            }
            return HTTPResponse(status: status, headers: headers, body: body)
        case .breaks: throw .interrupted(host: request.address.host, reason: "it broke")
        case .hangs:
            while !Task.isCancelled { await Task.yield() }
            throw .cancelled
        case .outlasts(let clock):
            await clock.outlast()
            throw .cancelled
        case .mishears:
            var other = request
            other.body = .bytes([0x7B, 0x7D])
            return await answer(other, only: nil)
        case .believesOnly(let scheme):
            // It says so to both knocks.
            fail(address, .believesOnly(scheme))
            return await answer(request, only: scheme)
        case nil: return await answer(request, only: nil)
        }
    }

    private func answer(_ request: HTTPRequest, only: SignatureScheme?) async -> HTTPResponse {
        let body = request.body.segments.flatMap { segment -> [UInt8] in
            if case .bytes(let bytes) = segment { bytes } else { [] }
        }
        let incoming = IncomingRequest(
            method: request.method.rawValue, address: request.address, headers: request.headers, body: body)
        guard let claim = try? SignatureClaim(of: incoming), only == nil || claim.scheme == only,
            let pem = await state.withLock({ $0.knows })?(claim.keyID), let key = try? VerificationKey(pem: pem),
            (try? claim.verify(by: key, now: now().addingTimeInterval(state.withLock { $0.isFast }))) != nil
        else { return HTTPResponse(status: 401) }
        guard request.method == .post else {
            guard let bytes = state.withLock({ $0.documents[request.address.text] }) else {
                return HTTPResponse(status: 404)
            }
            return HTTPResponse(status: 200, headers: ["Content-Type": MediaType.activity], body: bytes)
        }
        guard let document = try? DocumentValue(reading: body), let id = document["id"]?.text,
            let type = document["type"]?.text
        else { return HTTPResponse(status: 400) }
        state.withLock {
            $0.delivered.append(Delivered(path: request.address.text, id: id, type: type, document: document))
        }
        return HTTPResponse(status: 202)
    }
}
