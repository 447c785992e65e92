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
}
