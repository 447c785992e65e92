import ChirpWeb
import NIOCore
import Testing

/// Forms with files, taken apart while they come.
@Suite struct MultipartTests {
    private static let type = "multipart/form-data; boundary=AaB03x"
    private static let form = """
        --AaB03x\r
        Content-Disposition: form-data; name="description"\r
        \r
        Grüße\r
        --AaB03x\r
        Content-Disposition: form-data; name="file"; filename="a;\\"b.wav"\r
        Content-Type: audio/wav\r
        \r
        \r\n--AaB03\r\r\n\r
        --AaB03x--\r
        behind the end
        """

    /// The parts, each with its content put together.
    private func parts(_ pieces: [[UInt8]], type: String = type) throws -> [String] {
        var reader = try MultipartReader(contentType: type)
        var parts: [String] = []
        var content: [UInt8] = []
        for piece in pieces {
            for event in try reader.read(ByteBuffer(bytes: piece)) {
                switch event {
                case .part(let name, let fileName, let type):
                    parts.append("\(name)|\(fileName ?? "-")|\(type ?? "-")|")
                    content = []
                case .content(let bytes): content += bytes.readableBytesView
                case .endOfPart: parts[parts.count - 1] += String(decoding: content, as: UTF8.self)
                }
            }
        }
        try reader.end()
        return parts
    }

    private var wanted: [String] {
        ["description|-|-|Grüße", "file|a;\"b.wav|audio/wav|\r\n--AaB03\r\r\n"]
    }

    @Test func `a form is its parts, wherever it is cut`() throws {
        let bytes = Array(Self.form.utf8)
        #expect(try parts([bytes]) == wanted)
        #expect(try parts(bytes.map { [$0] }) == wanted)
        for cut in bytes.indices {
            #expect(try parts([Array(bytes[..<cut]), Array(bytes[cut...])]) == wanted, "cut at \(cut)")
        }
    }

    @Test func `a boundary may be quoted, and names may be written in capitals`() throws {
        let body = "--a b\r\ncontent-disposition: FORM-DATA; NAME=x\r\n\r\n1\r\n--a b--"
        #expect(
            try parts([Array(body.utf8)], type: "Multipart/Form-Data; charset=x; Boundary=\"a b\"") == ["x|-|-|1"])
        #expect(try parts([Array("--AaB03x--".utf8)]) == [])
    }

    @Test(
        arguments: [
            "", "--AaB03x", "--AaB03x\r\n", "hello", "\r\n--AaB03x--", "--AaB03y\r\n", "--AaB03x \r\n",
            "--AaB03x\r\n\r\n\r\n", "--AaB03x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--AaB03x--",
            "--AaB03x\r\nContent-Disposition: attachment; name=x\r\n\r\n1\r\n--AaB03x--",
            "--AaB03x\r\nno colon\r\n\r\n1\r\n--AaB03x--",
            "--AaB03x\r\nContent-Disposition: form-data; name=x\r\n\r\n1",
            "--AaB03x\r\nContent-Disposition: form-data; name=x\r\n\r\n1\r\n--AaB03x",
            "--AaB03x\r\nContent-Disposition: form-data; name=x\r\n\r\n1\r\n--AaB03x??",
            "--AaB03x\r\nContent-Disposition: form-data; name=x\r\nContent-Disposition: form-data; name=y\r\n\r\n1\r\n--AaB03x--",
        ])
    func `what is no whole form is refused`(body: String) {
        #expect(throws: Problem.self) { try parts([Array(body.utf8)]) }
    }

    @Test func `heads and parts without end are refused before they are kept`() throws {
        var reader = try MultipartReader(contentType: Self.type)
        _ = try reader.read(ByteBuffer(string: "--AaB03x\r\nX: "))
        #expect(throws: Problem.self) {
            for _ in 0..<10 { _ = try reader.read(ByteBuffer(repeating: 0x41, count: 1000)) }
        }
        let part = "\r\nContent-Disposition: form-data; name=x\r\n\r\n\r\n--AaB03x"
        let many = "--AaB03x" + String(repeating: part, count: 33) + "--"
        #expect(throws: Problem.self) { try parts([Array(many.utf8)]) }
    }

    @Test(
        arguments: [
            nil, "", "text/plain", "multipart/form-data", "multipart/form-data; boundary=",
            "multipart/mixed; boundary=a",
            "multipart/form-data; boundary=\(String(repeating: "a", count: 71))",
            "multipart/form-data; boundary=\"a \"",
        ] as [String?])
    func `other types and odd boundaries are refused`(type: String?) {
        #expect(throws: Problem.self) { try MultipartReader(contentType: type) }
    }
}
