import ChirpFiles
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import Hummingbird
import Testing

/// Forms with a file, as browsers send them and as nobody should.
@Suite struct FileFormTests {
    private static let type = "multipart/form-data; boundary=----b"
    private static let token = "------b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nabc\r\n"
    private static let head =
        "------b\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"

    private static let one = [FileForm.Files("picture", mostBytes: 1000)]

    /// Reads a form that comes in pieces of so many bytes.
    private func read(
        _ body: some Collection<UInt8>, type: String = type, files: [FileForm.Files], pieces: Int = 7
    ) async throws -> FileForm {
        let folder = try TemporaryFolder()
        var headers = HTTPFields()
        headers[.contentType] = type
        let request = Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/", headerFields: headers),
            body: Hummingbird.RequestBody(asyncSequence: Pieces(bytes: Array(body), count: pieces)))
        return try await FileForm.read(
            request, files: files, into: BodyStore(folder: folder.url.path), for: try .stranger()
        ) { $0 == "abc" }
    }

    private func form(_ text: String, type: String = type) async throws -> FileForm {
        try await read(Array(text.utf8), type: type, files: Self.one)
    }

    @Test(arguments: ["x", "\r\n", "\r\n------", "\r\r\n", "a\r\n--x\r\n------c\r\n"])
    func `a file comes as it was, whatever is in it, in pieces of any size`(content: String) async throws {
        let whole = Array((Self.token + Self.head + content + "\r\n------b--\r\n").utf8)
        for pieces in [1, 7, whole.count] {
            let form = try await read(whole, files: Self.one, pieces: pieces)
            #expect(form.token == "abc")
            #expect(try await form.file?.withBytes { $0 } == Array(content.utf8))
            #expect(form.file?.sha256 == FileDigest.sha256(of: Array(content.utf8)))
        }
    }

    @Test func `what is no such form is none`() async throws {
        let end = "\r\n------b--\r\n"
        let whole = Self.token + Self.head + "x" + end
        _ = try await form(whole)
        // Cut anywhere before its end.
        for count in 0..<whole.utf8.count - 4 {
            await #expect(throws: FileForm.Refusal.malformed, "\(count)") {
                try await read(whole.utf8.prefix(count), files: Self.one)
            }
        }
        // Another order, another type, no boundary.
        for (text, type) in [
            (Self.head + "x\r\n" + Self.token + "------b--\r\n", Self.type),
            (whole, "application/x-www-form-urlencoded; boundary=----b"), (whole, "multipart/form-data"),
            (whole, "multipart/form-data; boundary="),
        ] {
            await #expect(throws: FileForm.Refusal.malformed) { try await form(text, type: type) }
        }
    }

    @Test func `nothing behind a wrong token is read`() async throws {
        let body = Self.token.replacingOccurrences(of: "abc", with: "abd") + Self.head
        let pieces = Pieces(bytes: Array(body.utf8), count: 16, then: .failure(Overread()))
        var headers = HTTPFields()
        headers[.contentType] = Self.type
        let request = Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/", headerFields: headers),
            body: Hummingbird.RequestBody(asyncSequence: pieces))
        let folder = try TemporaryFolder()
        let context = try WebContext.stranger()
        let error = await #expect(throws: Hummingbird.HTTPError.self) {
            try await FileForm.read(
                request, files: Self.one, into: BodyStore(folder: folder.url.path), for: context,
                isRight: { $0 == "abc" })
        }
        #expect(error?.status == .forbidden)
    }

    /// What was read behind the end of what was sent.
    private struct Overread: Error {}

    private static let rules = [
        FileForm.Files("pictures", most: 6, mostBytes: 100), FileForm.Files("voice", mostBytes: 1000),
    ]

    private func several(_ parts: [(name: String, content: String)]) -> String {
        parts.map { "------b\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.content)\r\n" }.joined()
            + "------b--\r\n"
    }

    private func form(_ parts: [(name: String, content: String)]) async throws -> FileForm {
        try await read(Array(several(parts).utf8), files: Self.rules, pieces: 1000)
    }

    @Test func `fields and up to six files come in one form`() async throws {
        let files = (1...6).map { (name: "pictures", content: "file \($0)\r\n--") }
        let form = try await form(
            [("token", "abc"), ("title", "A bag\r\nand more"), ("tag", "one"), ("tag", "two")] + files + [
                ("voice", "sound"), ("text", ""),
            ])
        #expect(form.token == "abc" && form.fields["title"] == "A bag\r\nand more" && form.fields["text"] == "")
        #expect(form.fields.list("tag") == ["one", "two"])
        var contents: [[UInt8]] = []
        for file in form.files("pictures") + form.files("voice") { contents.append(try await file.withBytes { $0 }) }
        #expect(contents == files.map { Array($0.content.utf8) } + [Array("sound".utf8)])
        #expect(form.files("pictures").count == 6 && form.files("other").isEmpty)
    }

    @Test func `a field without a choice has no files`() async throws {
        let form = try await form([("token", "abc"), ("pictures", ""), ("voice", "")])
        #expect(form.files("pictures").isEmpty && form.files("voice").isEmpty && form.file == nil)
    }

    @Test func `too many files, too large ones and too much text are refused`() async {
        let seven = (1...7).map { (name: "pictures", content: "\($0)") }
        await #expect(throws: FileForm.Refusal.tooMany(field: "pictures", most: 6)) {
            try await form([("token", "abc")] + seven)
        }
        await #expect(throws: FileForm.Refusal.tooMany(field: "voice", most: 1)) {
            try await form([("token", "abc"), ("voice", "1"), ("voice", "2")])
        }
        await #expect(throws: FileForm.Refusal.tooLarge(field: "pictures", most: 100)) {
            try await form([("token", "abc"), ("pictures", String(repeating: "x", count: 101))])
        }
        await #expect(throws: FileForm.Refusal.tooLarge(field: "text", most: Form.mostBytes)) {
            try await form([("token", "abc"), ("text", String(repeating: "x", count: Form.mostBytes))])
        }
        // The token is first, there is one form, and it has an end.
        await #expect(throws: FileForm.Refusal.malformed) { try await form([("title", "a"), ("token", "abc")]) }
        await #expect(throws: FileForm.Refusal.malformed) { try await form([]) }
        await #expect(throws: FileForm.Refusal.malformed) {
            try await form([("token", "abc")] + (1...200).map { ("field\($0)", "") })
        }
        let whole = Array(several([("token", "abc"), ("pictures", "x")]).utf8)
        for count in 0..<whole.count - 4 {
            await #expect(throws: FileForm.Refusal.malformed) {
                try await read(whole.prefix(count), files: Self.rules, pieces: 1000)
            }
        }
    }
}
