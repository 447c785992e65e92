import ChirpWeb
import Testing

/// Forms with a file, as browsers send them and as nobody should.
@Suite struct FileFormTests {
    private static let type = "multipart/form-data; boundary=----b"
    private static let token = "------b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nabc\r\n"
    private static let head =
        "------b\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"

    private func form(_ text: String, type: String = type) -> FileForm? {
        FileForm(Array(text.utf8), contentType: type, file: "picture")
    }

    @Test(arguments: ["", "x", "\r\n", "\r\n------", "\r\r\n", "a\r\n--x\r\n------c\r\n"])
    func `a file comes as it was, whatever is in it`(content: String) {
        let form = form(Self.token + Self.head + content + "\r\n------b--\r\n")
        #expect(form?.token == "abc")
        #expect(form?.file == Array(content.utf8))
    }

    @Test func `what is no such form is none`() {
        let end = "\r\n------b--\r\n"
        let whole = Self.token + Self.head + "x" + end
        #expect(form(whole) != nil)
        // Cut anywhere before its end.
        for count in 0..<whole.utf8.count - 4 {
            #expect(
                FileForm(Array(whole.utf8.prefix(count)), contentType: Self.type, file: "picture") == nil, "\(count)")
        }
        // Another order, one part, three parts, another type, no boundary.
        #expect(form(Self.head + "x\r\n" + Self.token + "------b--\r\n") == nil)
        #expect(form(Self.token + "------b--\r\n") == nil)
        #expect(form(Self.token + Self.token + Self.head + "x" + end) == nil)
        #expect(form(whole, type: "application/x-www-form-urlencoded; boundary=----b") == nil)
        #expect(form(whole, type: "multipart/form-data") == nil)
        #expect(form(whole, type: "multipart/form-data; boundary=") == nil)
    }

    private static let rules = [
        FileForm.Files("pictures", most: 6, mostBytes: 100), FileForm.Files("voice", mostBytes: 1000),
    ]

    private func several(_ parts: [(name: String, content: String)]) -> String {
        parts.map { "------b\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.content)\r\n" }.joined()
            + "------b--\r\n"
    }

    private func form(_ parts: [(name: String, content: String)]) throws(FileForm.Refusal) -> FileForm {
        try FileForm(Array(several(parts).utf8), contentType: Self.type, files: Self.rules)
    }

    @Test func `fields and up to six files come in one form`() throws {
        let files = (1...6).map { (name: "pictures", content: "file \($0)\r\n--") }
        let form = try form(
            [("token", "abc"), ("title", "A bag\r\nand more"), ("tag", "one"), ("tag", "two")] + files + [
                ("voice", "sound"), ("text", ""),
            ])
        #expect(form.token == "abc" && form.fields["title"] == "A bag\r\nand more" && form.fields["text"] == "")
        #expect(form.fields.list("tag") == ["one", "two"])
        #expect(form.files("pictures") == files.map { Array($0.content.utf8) })
        #expect(form.files("voice") == [Array("sound".utf8)] && form.files("other").isEmpty)
    }

    @Test func `a field without a choice has no files`() throws {
        let form = try form([("token", "abc"), ("pictures", ""), ("voice", "")])
        #expect(form.files("pictures").isEmpty && form.files("voice").isEmpty && form.file.isEmpty)
    }

    @Test func `too many files, too large ones and too much text are refused`() {
        let seven = (1...7).map { (name: "pictures", content: "\($0)") }
        #expect(throws: FileForm.Refusal.tooMany(field: "pictures", most: 6)) { try form([("token", "a")] + seven) }
        #expect(throws: FileForm.Refusal.tooMany(field: "voice", most: 1)) {
            try form([("token", "a"), ("voice", "1"), ("voice", "2")])
        }
        #expect(throws: FileForm.Refusal.tooLarge(field: "pictures", most: 100)) {
            try form([("token", "a"), ("pictures", String(repeating: "x", count: 101))])
        }
        #expect(throws: FileForm.Refusal.tooLarge(field: "text", most: Form.mostBytes)) {
            try form([("token", "a"), ("text", String(repeating: "x", count: Form.mostBytes))])
        }
        // The token is first, there is one form, and it has an end.
        #expect(throws: FileForm.Refusal.malformed) { try form([("title", "a"), ("token", "a")]) }
        #expect(throws: FileForm.Refusal.malformed) { try form([]) }
        #expect(throws: FileForm.Refusal.malformed) {
            try form([("token", "a")] + (1...200).map { ("field\($0)", "") })
        }
        let whole = Array(several([("token", "a"), ("pictures", "x")]).utf8)
        for count in 0..<whole.count - 4 {
            #expect(throws: FileForm.Refusal.malformed) {
                try FileForm(Array(whole.prefix(count)), contentType: Self.type, files: Self.rules)
            }
        }
    }
}
