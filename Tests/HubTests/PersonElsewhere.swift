import ChirpCommunity
import ChirpFederation
import ChirpHTTP
import ChirpTestKit

/// Somebody at another server, which tells of him and takes nothing.
final class PersonElsewhere: HTTPTransport {
    let id: String
    private let handle: String
    private let host: String
    private let log = Mutexed<[String]>([])

    init(handle: String, host: String) {
        (self.handle, self.host) = (handle, host)
        id = "https://\(host)/users/\(handle)"
    }

    var asked: [String] { log.value }

    var facts: RemotePerson.Facts {
        RemotePerson.Facts(
            address: id, host: host, handle: "\(handle)@\(host)", name: "Bob <b>", page: id, inbox: "\(id)/inbox",
            keyID: "\(id)#main-key", keyText: "PEM")
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        log.change { $0.append(request.address.text) }
        let document: DocumentValue
        let type: String
        switch request.address.path {
        case "/.well-known/webfinger" where request.address.field("resource") == "acct:\(handle)@\(host)":
            type = WebFinger.mediaType
            document = [
                "links": [["rel": "self", "type": .text(MediaType.activity), "href": .text(id)]]
            ]
        case "/users/\(handle)":
            type = MediaType.activity
            document = [
                "id": .text(id), "type": "Person", "preferredUsername": .text(handle), "name": "Bob <b>",
                "inbox": .text("\(id)/inbox"),
                "publicKey": ["id": .text("\(id)#main-key"), "owner": .text(id), "publicKeyPem": "PEM"],
            ]
        default: return HTTPResponse(status: 404)
        }
        return HTTPResponse(status: 200, headers: ["Content-Type": type], body: document.bytes)
    }
}
