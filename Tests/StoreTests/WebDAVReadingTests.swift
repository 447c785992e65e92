import ChirpCore
import ChirpStores
import ChirpTestKit
import Foundation
import Testing

@Suite struct WebDAVReadingTests {
    private func quota(_ text: String) -> Quota { DAVProperties(Array(text.utf8)).quota }

    private func answer(_ propstats: String, prefix: String = "D:") -> String {
        let declaration = prefix.isEmpty ? "xmlns=\"DAV:\"" : "xmlns:\(prefix.dropLast())=\"DAV:\""
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<\(prefix)multistatus \(declaration)><\(prefix)response>"
            + "<\(prefix)href>/dav/</\(prefix)href>\(propstats)</\(prefix)response></\(prefix)multistatus>\n"
    }

    @Test(arguments: ["D:", "d:", "", "lp1:"])
    func `the room is read whatever the prefix`(prefix: String) {
        let text = answer(
            "<\(prefix)propstat><\(prefix)prop><\(prefix)quota-available-bytes> 596650\n</\(prefix)quota-available-bytes>"
                + "<\(prefix)quota-used-bytes>4096</\(prefix)quota-used-bytes></\(prefix)prop>"
                + "<\(prefix)status>HTTP/1.1 200 OK</\(prefix)status></\(prefix)propstat>", prefix: prefix)
        #expect(quota(text) == Quota(used: ByteCount(4096), free: ByteCount(596_650)))
    }

    @Test func `what is unknown stays unknown`() {
        let (open, close) = ("<D:propstat><D:prop>", "</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>")
        // Not known to the server, in the form that Apache and Nextcloud have.
        #expect(
            quota(
                answer(
                    "<D:propstat><D:prop><D:quota-available-bytes/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status>"
                        + "</D:propstat>")) == Quota())
        #expect(quota(answer(open + "<D:quota-available-bytes>-3</D:quota-available-bytes>" + close)) == Quota())
        #expect(quota(answer(open + "<D:quota-available-bytes>much</D:quota-available-bytes>" + close)) == Quota())
        #expect(
            quota(answer(open + "<x:quota-available-bytes xmlns:x='other'>5</x:quota-available-bytes>" + close))
                == Quota())
        #expect(quota("<html><body>Welcome<br></body></html>") == Quota())
        #expect(quota("") == Quota())
    }

    @Test(arguments: ["D:", ""])
    func `names of a folder are read from addresses of any form`(prefix: String) throws {
        let declaration = prefix.isEmpty ? "xmlns=\"DAV:\"" : "xmlns:D=\"DAV:\""
        let addresses = [
            "/dav/", "/dav/plain.tar", "https://example.org/dav/hub%2D1.tar", "\n /dav/with%20space.mp3\n", "/dav/in/",
            "/dav/\(String(repeating: "a", count: 5000))",
        ]
        let responses = addresses.map {
            "<\(prefix)response><\(prefix)href>\($0)</\(prefix)href><\(prefix)propstat><\(prefix)prop><x:href xmlns:x='DAV:'>"
                + "/dav/other</x:href><\(prefix)getlastmodified>Thu, 26 Nov 2026 03:00:00 GMT</\(prefix)getlastmodified>"
                + "</\(prefix)prop></\(prefix)propstat></\(prefix)response>"
        }
        let text = "<\(prefix)multistatus \(declaration)>\(responses.joined())</\(prefix)multistatus>"
        let list = try #require(DAVListing(Array(text.utf8)))
        #expect(list.entries.map(\.name) == ["plain.tar", "hub-1.tar", "with space.mp3"])
        #expect(list.entries.allSatisfy { $0.modified?.timeIntervalSince1970 == 1_795_662_000 })
    }

    @Test(arguments: ["", "<html><body>Welcome</body></html>", "<D:multistatus xmlns:D='DAV:'>", "<multistatus/>"])
    func `what is no list of a folder is none`(text: String) {
        #expect(DAVListing(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        "<a>", "<a></b>", "</a>", "<a/><b/>", "<a", "<a b></a>", "<a b=c/>", "<a b='<'/>", "text", "<a>&lt</a>",
        "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&other;</a>", "<x:a/>", "<a:b:c xmlns:a='u'/>", "<!DOCTYPE a><a/>",
        "<!DOCTYPE a [<!ENTITY x 'xx'>]><a>&x;</a>", "<a><!-- </a>", "<a><![CDATA[ </a>", "<?xml <a/>", "< a/>",
        String(repeating: "<a>", count: 1000), "<a" + String(repeating: " b='1'", count: 100) + "/>",
        "<\(String(repeating: "a", count: 1000))/>",
    ])
    func `what is not allowed is refused`(text: String) {
        var reader = XMLReader(Array(text.utf8))
        #expect(throws: XMLReader.Fault.self) { while try reader.next() != nil {} }
    }

    @Test func `a document is read event by event`() throws {
        let text =
            "\u{FEFF}<?xml version='1.0'?><!-- c --><a xmlns='u' n=\"1\"><p:b xmlns:p='v'/>x &amp; &#x41;<![CDATA[<&]]></a >\n"
        var reader = XMLReader(Array(text.utf8))
        var events: [XMLReader.Event] = []
        while let event = try reader.next() { events.append(event) }
        let (a, b) = (XMLReader.Name(namespace: "u", local: "a"), XMLReader.Name(namespace: "v", local: "b"))
        #expect(events == [.start(a), .start(b), .end(b), .text("x & A"), .text("<&"), .end(a)])
    }

    @Test func `bytes that are no XML never crash or hang it`() {
        let seed = Array(
            answer("<D:propstat><D:prop><D:quota-used-bytes>1</D:quota-used-bytes></D:prop></D:propstat>").utf8)
        var generator = SeededGenerator(seed: 4331)
        for _ in 0..<5000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(Array("<>&;'\"/!?[".utf8).randomElement(using: &generator) ?? 0, at: index)
                }
            }
            _ = DAVProperties(bytes)
        }
    }
}
