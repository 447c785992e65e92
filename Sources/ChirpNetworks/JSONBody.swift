internal import ChirpHTTP
internal import FoundationEssentials

extension HTTPRequest {
    /// A request whose content is JSON. A value that cannot be encoded becomes `{}`; the values here always can.
    init(_ method: HTTPMethod, _ address: WebAddress, json: some Encodable, isRepeatable: Bool? = nil) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = (try? encoder.encode(json)).map { Array($0) } ?? Array("{}".utf8)
        self.init(
            method, address, headers: ["Content-Type": "application/json; charset=utf-8"], body: .bytes(bytes),
            isRepeatable: isRepeatable)
    }
}
