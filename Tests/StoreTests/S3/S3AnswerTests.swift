import ChirpStores
import Testing

/// What a service answers is a stranger's text.
@Suite struct S3AnswerTests {
    @Test func `elements are found by name, whatever their namespace`() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListPartsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <UploadId>a&amp;b</UploadId><Part><ETag>&quot;x&quot;</ETag></Part><Part/>
            </ListPartsResult>
            """
        let answer = try #require(S3Answer(Array(text.utf8)))
        #expect(answer.name == "ListPartsResult")
        #expect(answer["UploadId"] == "a&b")
        #expect(answer.elements.filter { $0.name == "Part" }.map { $0["ETag"] } == ["\"x\"", nil])
        #expect(answer["Nothing"] == nil && answer.text.isEmpty)
    }

    @Test(arguments: [
        "", "x", "<a", "<a></b>", "<a/><b/>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a>&b;</a>", "<a>\u{0}",
        #"<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>"#,
    ])
    func `what is no answer, or more than one has, is none`(text: String) {
        #expect(S3Answer(Array(text.utf8)) == nil)
    }

    @Test func `depth, elements and text have bounds`() {
        func deep(_ count: Int) -> String {
            String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
        }
        func wide(_ count: Int) -> String { "<a>" + String(repeating: "<b/>", count: count) + "</a>" }
        func long(_ count: Int) -> String { "<a>" + String(repeating: "x", count: count) + "</a>" }
        for (within, beyond) in [(deep(64), deep(65)), (wide(39_999), wide(40_000)), (long(8192), long(8193))] {
            #expect(S3Answer(Array(within.utf8)) != nil)
            #expect(S3Answer(Array(beyond.utf8)) == nil)
        }
    }
}
