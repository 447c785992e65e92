import ChirpFederation
import ChirpHTTP
import Foundation
import Testing

/// Signatures made with the same key over the same requests by the Python packages `http-message-signatures` 3.0.0 and, where those know
/// nothing of a draft, `cryptography` 48.0.0. RSA with PKCS #1 has one signature for a text, so that equal bytes mean that either side
/// believes the other.
@Suite struct OtherSignersTests {
    struct Answer: Sendable, CustomStringConvertible {
        let scheme: SignatureScheme
        let method: HTTPMethod
        let signature: String

        var description: String { "\(method.rawValue) by \(scheme.rawValue)" }
    }

    static let answers = [
        Answer(
            scheme: .cavage, method: .post,
            signature: "TFtOIRogW5/KR1GHd8l5X7tgf8bsERAXeV5OaJmGQX+PmlrwZApmUmOaeFB+zgZtVAk2+vb7zcBMvpld1294iA+TYH"
                + "EgCCNVW5oEaBe0pso077F/WWAB3ibaQWtYkW/XUqbYOa6TZWTx7ClKvFnEasQ2D0CcSMP2mEfFwJeSLrIcEzU/HER9"
                + "FTB7WdW/PYXROKcCxoBSOZJ0QyxVV9N4QxbjCHa9wX6Eh2bnjmye2HWBOC0mxE3pcje+sQoH9d2Fa/EdfTIexP/+TX"
                + "H6V2KkcGTLi/IALrfZA1DpRb5lJWIC1vQsNKtbAiGOrML9ReYFpM2oR5OburDmq3kHTWVu9w=="),
        Answer(
            scheme: .messageSignatures, method: .post,
            signature: "RZBLUj92sbWq+nVTAehqHkqD53pFoaeWSyC9PVgoJn03WvS9HuLpquDnsxS/UO7rBn3g45Uk7VygcBvOh2YKNmgzay"
                + "jNQQfdTX1EtByMsDRNtcIdgigsvQLeZq5anRD6E1z1FldyqtXk3uTuBLrUdV4Tgea6I7P1FnZ19IAHNsQl5lK2xDPj"
                + "DCf11BA2pN+V0rL5pCGrMA/uuWSmgPhy4MJe1JxhhyK6vBp0LOuHd3e0YNN5HUQMlM8EZlmibclk1SeNm3IC9FXwRX"
                + "zUb2ZL7GaJeJUEEu+Nsx0GZLb+h3oCtpN+JE2dFW4leEAvNqfMCpuqDV/k83uLewl5dXEA3w=="),
        Answer(
            scheme: .cavage, method: .get,
            signature: "fBbUD6PC9+bg4597/BSoOjupSN5uTP3wBr1181Aex73eIZZMQ2iEkV4zQBNzAyeTiCNOUc3jjAaZQGUdERUlglwz9j"
                + "V+68HmKc5sdai7yranCmgUBvlA3u/LfPpyAjTcvKP8qxBQzh5LGLyEqoR20J9xHFngLrUx0CxloW96k6vOvjdFXBe/"
                + "FFv4ioHjL3vQQ3ixH7Qd/kBx+uqzU0ZfQcq6Bur1Iew+MPgJNgAG/1fPFMzhAEpbv6vk8oxIDCvmf7kyVq5XNlO5bu"
                + "DSxsJ3YfoLWVO+9ipyu4GQS24D5GY9hNeRW4FenQxFCFZ8wqMQDUMUi8XW68+SVdgYgLB6Wg=="),
        Answer(
            scheme: .messageSignatures, method: .get,
            signature: "Kt+Tpkzlbid+lSfuW4ZIaY11VWTTOh0ZJoUz6+KByCkmWbQDUF5XQAIa7Gymk0rG1XxaPPsJz8CLLUMMPMi+n2UeKE"
                + "2qJnxSSn1x02PwXIKyyyQar+PJ/LguMu/x82+0G9Ws94T6tmfckQZtuvZWA902iGQHWsu9kf1CPL5xZsQox1a374mr"
                + "M7QCmhX1AAa4FMpawGwaR68m6os3KrOMwM51ZvCqSj1Vhv0ztfjFI66CS3He0ragDikDaEZD+iV1aIN8s9Rmi1InxZ"
                + "MUjGNhxinHmRIQR6ybQbPLMnyCrY1maUWZJcvQBcrgzxxsdGoQeBlRD2TzVaUZFEjfQuoYzQ=="),
    ]

    @Test(arguments: answers)
    func `another implementation makes the same signature`(answer: Answer) throws {
        let key = try ExampleKeys.actor()
        let signer = Signer(key: key, keyID: try #require(ObjectID("https://hub.example/users/ann#main-key")))
        let inbox = try #require(WebAddress("https://remote.example/users/bob/inbox?shared=no"))
        let content = answer.method == .get ? [] : Array(#"{"type":"Create","id":"https://hub.example/act/1"}"#.utf8)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        var request = HTTPRequest(answer.method, inbox, body: .bytes(content))
        try signer.sign(&request, content: content, answer.scheme, now: now)
        #expect(request.headers["Signature"]?.contains(answer.signature) == true)
        let arriving = IncomingRequest(
            method: answer.method.rawValue, address: inbox, headers: request.headers, body: content)
        let claim = try SignatureClaim(of: arriving)
        #expect(try claim.verify(by: VerificationKey(pem: ExampleKeys.rsa), now: now).scheme == answer.scheme)
    }
}
