internal import ChirpCore
package import ChirpHTTP
internal import FoundationEssentials

extension FederationClient {
    /// The most that one request of a delivery may take.
    private static let deliveryPatience = Duration.seconds(10)

    /// Gives an activity to an inbox, signed by the first scheme and, where that is answered by 401, by the other one.
    ///
    /// - Parameters:
    ///   - content: ``OutgoingActivity/document``'s bytes: the same each time.
    ///   - first: what ``DeliveryOutcome/accepted(_:)`` has said of this host the last time.
    package func deliver(
        _ content: [UInt8], to inbox: WebAddress, signer: Signer, first: SignatureScheme = .cavage
    ) async -> DeliveryOutcome {
        if let refusal = rules.refusal(of: inbox) { return .refused(PlainText(refusal, limit: 200).value) }
        let transport = PatientTransport(transport, patience: Self.deliveryPatience, clock: clock)
        let second = await deliver(content, to: inbox, signer, first, transport)
        guard second == .unknownSignature else { return second.outcome }
        return await deliver(content, to: inbox, signer, first.other, transport).outcome
    }

    /// What one knock has brought.
    private enum Knock: Equatable {
        case done(DeliveryOutcome)
        case unknownSignature

        var outcome: DeliveryOutcome {
            switch self {
            case .done(let outcome): outcome
            // Also what a server says that could not fetch the key just now, so it is not for good.
            case .unknownSignature: .later("the signature was not believed (401)", after: nil)
            }
        }
    }

    private func deliver(
        _ content: [UInt8], to inbox: WebAddress, _ signer: Signer, _ scheme: SignatureScheme,
        _ transport: PatientTransport
    ) async -> Knock {
        // Nothing in an answer is read.
        var request = HTTPRequest(
            .post, inbox, headers: ["Content-Type": MediaType.activity, "Accept": MediaType.accept],
            body: .bytes(content), sink: .memory(limit: 64 << 10), isRepeatable: true)
        do throws(KeyError) { try signer.sign(&request, content: content, scheme, now: now()) } catch {
            return .done(.later("the key cannot sign", after: nil))
        }
        do throws(HTTPError) {
            return outcome(try await transport.send(request), scheme, inbox)
        } catch {
            return .done(Self.outcome(error))
        }
    }

    private func outcome(_ answer: HTTPResponse, _ scheme: SignatureScheme, _ inbox: WebAddress) -> Knock {
        let reason = "\(PlainText(inbox.host, limit: 100)) answers \(answer.status)"
        return switch answer.status {
        case 200...299: .done(.accepted(scheme))
        case 401: .unknownSignature
        case 410: .done(.gone)
        // No inbox redirects. One that does could lead anywhere.
        case 300...399: .done(.refused(reason))
        case 408, 425, 429, 500...: .done(.later(reason, after: answer.retryAfter(now: now())))
        default: .done(.refused(reason))
        }
    }

    private static func outcome(_ error: HTTPError) -> DeliveryOutcome {
        switch error {
        case .cancelled: .cancelled
        case .badAddress, .insecure, .privateAddress, .redirect: .refused(error.whatHappened)
        case .unresolved, .unreachable, .untrusted, .interrupted, .tooLarge, .malformed, .signedOut, .libraryMissing,
            .inputOutput:
            .later(error.whatHappened, after: nil)
        }
    }
}
