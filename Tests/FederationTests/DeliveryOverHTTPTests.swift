import ChirpCore
import ChirpFederation
import ChirpHTTP
import Foundation
import LoopbackService
import Synchronization
import Testing

/// Deliveries over a real connection.
@Suite struct DeliveryOverHTTPTests {
    @Test(arguments: SignatureScheme.allCases)
    func `what arrives over a connection is what was signed`(scheme: SignatureScheme) async throws {
        let key = try ExampleKeys.actor()
        let believed = Mutex<[SignatureScheme]>([])
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let verifier = try VerificationKey(pem: key.publicPEM)
        let server = try LoopbackServer { request in
            guard let address = WebAddress("http://\(request.headers["Host"] ?? "")\(request.path)"),
                let claim = try? SignatureClaim(
                    of: IncomingRequest(
                        method: request.method, address: address, headers: request.headers, body: request.body)),
                let proof = try? claim.verify(by: verifier, now: now), proof.scheme == scheme
            else { return LoopbackServer.Reply(401) }
            believed.withLock { $0.append(proof.scheme) }
            return LoopbackServer.Reply(202)
        }
        defer { server.close() }
        let client = FederationClient(
            CurlTransport(settings: CurlSettings(connectTimeout: .seconds(5))),
            rules: FederationRules(allowsLoopback: true), now: { now })
        let signer = Signer(key: key, keyID: try #require(ObjectID("https://hub.example/actor#main-key")))
        let inbox = try #require(WebAddress("http://127.0.0.1:\(server.port)/users/bob/inbox"))
        let outcome = await client.deliver(Array(#"{"type":"Create"}"#.utf8), to: inbox, signer: signer)
        #expect(outcome == .accepted(scheme) && believed.withLock { $0 } == [scheme])
    }
}
