import Foundation
import Testing

/// A page's script that asks the hub's own API, by curl.
struct HubScript {
    let browser: HubBrowser
    private let token: String

    /// Signs the owner in and reads the token of the page `/record`.
    init(_ home: Household, port: Int) async throws {
        browser = HubBrowser(home, port: port, jar: "jar")
        #expect(try await browser.submit(home.ownerPath()).status == 303)
        let page = try await browser.get("/record").text
        token = String(try #require(page.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
    }

    func ask(_ method: String, _ path: String, _ options: String = "") async throws -> (status: Int, text: String) {
        try await browser.get(path, "-X \(method) -H 'X-Chirp-Form: \(token)' \(options)")
    }

    /// Sends a file of the working folder; the length comes last.
    func record(_ file: String, bytes: Int) async throws -> String {
        let begun = try await ask(
            "POST", "/api/uploads",
            """
            -i -H 'Tus-Resumable: 1.0.0' -H 'Upload-Defer-Length: 1' \
            -H 'Upload-Metadata: filename dGFrZS53YXY=,filetype YXVkaW8vd2F2,draft MQ=='
            """)
        #expect(begun.status == 201, "\(begun.text)")
        let id = String(try #require(begun.text.firstMatch(of: #/api/uploads/(\w+)/#)?.1))
        let sent = try await ask(
            "PATCH", "/api/uploads/\(id)",
            """
            -H 'Tus-Resumable: 1.0.0' -H 'Upload-Offset: 0' -H 'Upload-Length: \(bytes)' \
            -H 'Content-Type: application/offset+octet-stream' --data-binary @\(file)
            """)
        #expect(sent.status == 204, "\(sent.text)")
        return id
    }

    func json(_ method: String, _ path: String, _ body: String) async throws -> [String: Any] {
        let answer = try await ask(method, path, "-H 'Content-Type: application/json' --data '\(body)'")
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
    }
}
