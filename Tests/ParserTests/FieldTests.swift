import ChirpCore
import ChirpWeb
import Testing

/// The fields of forms and of JSON objects, and how many there may be.
@Suite struct FieldTests {
    private func json(_ text: String) throws -> RequestFields { try RequestFields(json: Array(text.utf8)) }

    @Test func `JSON is read as a form with the same fields would be`() throws {
        let fields = try json(
            #"{"a":"x","b":true,"c":[1,"2",null,3.5],"d":{"e":{"f":-7}},"g":null,"h[]":["i"],"j":1.0,"k":1e3,"l":1e30}"#
        )
        #expect(fields["a"] == "x" && fields["b"] == "true" && fields.list("c") == ["1", "2", "3.5"])
        #expect(fields["d[e][f]"] == "-7" && fields["g"] == nil && fields.list("h") == ["i"])
        #expect(fields["j"] == "1" && fields["k"] == "1000" && fields["l"] == "1e+30")
        #expect(try json("{\"a\":9223372036854775807}")["a"] == "9223372036854775807")
    }

    @Test(arguments: [
        "[]", "1", "\"a\"", "null", "{", "{\"a\":1e999}", "{\"\(String(repeating: "n", count: 600))\":1}",
    ])
    func `what is no object of fields is refused`(text: String) {
        #expect(throws: UntrustedJSON.Fault.notJSON) { try json(text) }
    }

    @Test func `fields lie as deep as calls have them, and no deeper`() throws {
        #expect(try json(#"{"a":{"b":[{"c":1}]}}"#)["a[b][c]"] == "1")
        #expect(throws: UntrustedJSON.Fault.tooDeep(limit: 4)) { try json(#"{"a":{"b":{"c":{"d":{"e":1}}}}}"#) }
    }

    @Test func `a thousand fields are a form, and one more are none`() throws {
        let most = TooManyFields.most
        let form = { (count: Int) in Array(repeating: "a=1", count: count).joined(separator: "&").utf8 }
        #expect(try Form(form(most)).list("a").count == most)
        #expect(throws: TooManyFields()) { try Form(form(most + 1)) }
        // Nothing between two signs is no field.
        #expect(try Form("a=1\(String(repeating: "&", count: 5000))b=2".utf8)["b"] == "2")
        #expect(throws: UntrustedJSON.Fault.tooMany(limit: most)) {
            try json("{\"a\":[\(Array(repeating: "1", count: most).joined(separator: ","))]}")
        }
    }

    @Test func `fields are decoded byte by byte`() {
        let fields = PercentEncoding.fields(of: "a=b=c&%61+b=%C3%A4+&=&d&&e=%zz%4")
        #expect(fields.map(\.name) == ["a", "a b", "", "d", "e"])
        #expect(fields.map(\.value) == ["b=c", "ä ", "", "", "%zz%4"])
    }
}
