import ChirpCore
import ChirpHTTP

/// The tokens of a service that is not set up.
struct NobodySignedIn: TokenSource {
    let service: String
    let cause: String

    func token(insteadOf rejected: Secret?) async throws(HTTPError) -> Secret {
        throw .signedOut(service: service, cause: cause)
    }
}
