import ChirpCore
import ChirpHTTP
import ChirpStores
import Foundation

/// The project's signatures of requests to S3, for a peer that was not written here: Tests/Peers/s3.py.
enum LoopbackSignatures {
    private struct Question: Decodable {
        struct Field: Decodable {
            let name, value: String
        }

        let method: String
        let address: String
        let fields: [Field]
        let hash: String
        let instant: String
        let region: String
        let id: String
        let secret: String
    }

    private struct Unreadable: Error { let line: String }

    /// Answers each line of JSON with the field `Authorization` that the request would have.
    static func sign() throws {
        while let line = readLine() {
            let question = try JSONDecoder().decode(Question.self, from: Data(line.utf8))
            guard let method = HTTPMethod(rawValue: question.method), let address = WebAddress(question.address),
                let keys = S3Keys(accessKeyID: question.id, secret: Secret(question.secret))
            else { throw Unreadable(line: line) }
            var headers = HTTPHeaders()
            for field in question.fields { headers.append(field.value, for: field.name) }
            let signature = AWSSignature(keys: keys, region: question.region)
            print(
                signature.authorization(
                    method, address, headers: headers, payloadHash: question.hash, instant: question.instant))
            fflush(nil)
        }
    }
}
