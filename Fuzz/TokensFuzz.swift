import ChirpCore
import ChirpHTTP
@testable import ChirpNetworks
@testable import ChirpOAuth
import FoundationEssentials

/// libFuzzer's entry: any bytes as what a token endpoint answers, and the sign-in that follows from it, written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTokens(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    guard let answer = try? JSONDecoder().decode(TokenAnswer.self, from: Data(bytes)) else { return 0 }
    precondition(answer.refusal.count <= 200 && (answer.expiresIn ?? 0) >= 0 && (answer.interval ?? 0) >= 0)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    for status in [200, 400] {
        let reply = TokenEndpoint.Reply(status: status, answer: answer)
        guard let instance = WebAddress("https://social.example") else { continue }
        let service = OAuthService.mastodon(instance: instance, clientID: "a", clientSecret: Secret("b"))
        guard let credential = try? Credential.granted(reply, by: service, now: now) else { continue }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        _ = try? encoder.encode(credential)
    }
    return 0
}
