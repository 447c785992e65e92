import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Somebody with a browser without script: keeps cookies, and sends forms with what their pages hold.
final class Visitor<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    private let client: RouterClient<Responder>
    private let cookies = Mutexed<[String: String]>([:])

    init(_ client: RouterClient<Responder>) { self.client = client }

    /// Whether a cookie of that name is kept.
    func has(_ cookie: String) -> Bool { cookies.value.keys.contains { $0.hasSuffix(cookie) } }

    func cookie(_ name: String) -> String? { cookies.value.first { $0.key.hasSuffix(name) }?.value }

    /// All of them, as browsers send them.
    var allCookies: String { cookies.value.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ") }

    func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await send(.get, path, headers, nil)
    }

    /// Opens a page and sends its form, with the hidden fields that it holds.
    func submit(
        _ page: String, to action: String? = nil, _ fields: [(name: String, value: String)] = [],
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let text = try await get(page).text
        return try await post(action ?? String(page.prefix { $0 != "?" }), Self.hidden(in: text) + fields, headers)
    }

    func post(
        _ path: String, _ fields: [(name: String, value: String)], _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        let allowed = CharacterSet.alphanumerics
        let body = fields.map { field in
            "\(field.name)=\(field.value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }.joined(separator: "&")
        return try await send(.post, path, headers, ByteBuffer(string: body))
    }

    /// Opens a page and sends its form as one that may hold files, with the hidden fields that it has: the token first.
    ///
    /// - Parameter files: named `a.wav`, whatever they are.
    func submitFiles(
        _ page: String, _ fields: [(name: String, value: String)], files: [(name: String, value: String)] = []
    ) async throws -> TestResponse {
        let (hidden, names) = (Self.hidden(in: try await get(page).text), Set((fields + files).map(\.name)))
        let parts =
            hidden.filter { $0.name == "token" } + hidden.filter { $0.name != "token" && !names.contains($0.name) }
            + fields
        let boundary = "limit5f3a"
        let body =
            parts.map { "--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.value)\r\n" }
            + files.map {
                """
                --\(boundary)\r\nContent-Disposition: form-data; name=\"\($0.name)\"; filename=\"a.wav\"\r\n\r\n\
                \($0.value)\r\n
                """
            }
        return try await send(
            .post, page, [.contentType: "multipart/form-data; boundary=\(boundary)"],
            ByteBuffer(string: body.joined() + "--\(boundary)--\r\n"))
    }

    /// Sends JSON as a script of the hub's pages does: with the token of a form, and the session.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ json: String = "{}", _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/json"
        if headers[.formToken] == nil, let token = Self.hidden(in: try await get("/settings/profile").text).first {
            headers[.formToken] = token.value
        }
        return try await send(method, path, headers, method == .get ? nil : ByteBuffer(string: json))
    }

    /// Signs up, confirms by the letter, and signs in.
    func join(_ name: String, _ house: HubHousehold) async throws {
        let password = "correct horse battery"
        _ = try await submit(
            "/signup", [("email", "\(name)@example.org"), ("username", name), ("password", password)])
        let folder = house.folder.path("hub/mail")
        let letters = try FileManager.default.contentsOfDirectory(atPath: folder).map {
            try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }
        let letter = letters.first { $0.contains("To: \(name)@example.org\r\n") && $0.contains("/confirm?token=") }
        let address = try #require(letter?.split(separator: "\r\n").first { $0.contains("/confirm?token=") })
        _ = try await submit(String(address.dropFirst(HubHousehold.publicURL.count)))
        let answer = try await submit("/signin", [("username", name), ("password", password)])
        #expect(answer.status == .seeOther, "\(name) cannot sign in")
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ body: ByteBuffer?
    ) async throws -> TestResponse {
        var headers = headers
        if !cookies.value.isEmpty, headers[.cookie] == nil { headers[.cookie] = allCookies }
        let answer = try await client.execute(uri: path, method: method, headers: headers, body: body)
        for field in answer.headers[values: .setCookie] {
            let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            #expect(field.contains("HttpOnly") && field.contains("SameSite=Lax") && field.contains("Path=/"))
            let isEnding = field.contains("Max-Age=0")
            cookies.change { $0[String(pair[0])] = isEnding ? nil : String(pair[1]) }
        }
        return answer
    }

    /// The hidden fields of the forms of a page, the token first.
    func hidden(on path: String) async throws -> [(name: String, value: String)] {
        Self.hidden(in: try await get(path).text)
    }

    static func hidden(in page: String) -> [(name: String, value: String)] {
        page.matches(of: #/<input type="hidden" name="([^"]*)" value="([^"]*)">/#).map {
            (String($0.1), String($0.2).replacing("&amp;", with: "&"))
        }
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
    /// Where it sends the browser.
    var location: String { headers[.location] ?? "" }
}
