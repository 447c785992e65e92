import ChirpNetworks
import FoundationEssentials
import Testing

/// CH-9: chosen author AND hashtag AND clip link.
@Suite struct ClipLinksTests {
    private static let alice = Account(id: Account.ID("1"), handle: "alice", displayName: "Alice")
    private static let links = ClipLinks(hubs: ["https://hub.example", "http://127.0.0.1:4747/chirp/"])

    private static func post(_ text: String, links: [String] = [], tags: [String] = [], audio: [String] = []) -> Post {
        Post(
            id: Post.ID("p"), author: alice, text: text, links: links, tags: tags,
            created: Date(timeIntervalSince1970: 0),
            audio: audio)
    }

    private static func verdict(_ post: Post) -> ClipLinks.Verdict { links.verdict(on: post, chosen: [alice.id]) }

    @Test(arguments: [
        "https://drive.google.com/file/d/1AbcdefghijK-_9/view?usp=sharing",
        "https://drive.google.com/file/d/1AbcdefghijK-_9/edit",
        "https://drive.google.com/file/d/1AbcdefghijK-_9/preview", "https://drive.google.com/file/d/1AbcdefghijK-_9",
        "https://drive.google.com/file/u/0/d/1AbcdefghijK-_9/view", "https://drive.google.com/open?id=1AbcdefghijK-_9",
        "https://drive.google.com/open?usp=drive_fs&id=1AbcdefghijK-_9",
        "https://drive.google.com/uc?id=1AbcdefghijK-_9&export=download",
        "https://drive.google.com/uc?export=download&id=1AbcdefghijK-_9",
        "https://docs.google.com/uc?id=1AbcdefghijK-_9",
        "https://drive.usercontent.google.com/download?id=1AbcdefghijK-_9&export=download",
        "HTTPS://DRIVE.GOOGLE.COM/file/d/1AbcdefghijK-_9/view",
    ])
    func `every form of a Drive link is a clip`(link: String) {
        #expect(Self.links.address(of: link) == .drive(id: "1AbcdefghijK-_9", resourceKey: nil))
    }

    @Test func `a resource key is kept`() {
        let link = "https://drive.google.com/file/d/1AbcdefghijK-_9/view?usp=sharing&resourcekey=0-abcDEF"
        #expect(Self.links.address(of: link) == .drive(id: "1AbcdefghijK-_9", resourceKey: "0-abcDEF"))
    }

    @Test(arguments: [
        "https://drive.google.com/drive/folders/1AbcdefghijK-_9", "https://drive.google.com/file/d/short/view",
        "https://drive.google.com/", "https://drive.google.com.evil.example/file/d/1AbcdefghijK-_9/view",
        "https://evil.example/file/d/1AbcdefghijK-_9/view", "https://docs.google.com/document/d/1AbcdefghijK-_9/edit",
        "https://drive.google.com/open?id=../../etc/passwd", "https://user@drive.google.com/open?id=1AbcdefghijK-_9",
        "ftp://drive.google.com/file/d/1AbcdefghijK-_9", "javascript:alert(1)", "", "https://hub.example/c/",
        "https://hub.example/c/a/b",
        "https://hub.example/c/..%2F..", "https://hub.example/about", "https://other.example/media/x.mp3",
        "https://hub.example:8443/c/abc",
    ])
    func `other links are not`(link: String) {
        #expect(Self.links.address(of: link) == nil)
    }

    @Test(arguments: [
        ("https://hub.example/c/aB3_x", "https://hub.example/media/aB3_x.mp3"),
        ("https://hub.example/embed/aB3_x", "https://hub.example/media/aB3_x.mp3"),
        ("https://HUB.example/media/aB3_x.mp3", "https://hub.example/media/aB3_x.mp3"),
        ("http://127.0.0.1:4747/chirp/c/x?utm=1#t", "http://127.0.0.1:4747/chirp/media/x.mp3"),
    ])
    func `pages, players and files of a known hub are clips`(link: String, file: String) {
        #expect(Self.links.address(of: link) == .hub(file))
    }

    @Test(arguments: [
        ("New one #Chirp https://hub.example/c/abc", true), ("#chirp https://hub.example/c/abc", true),
        ("https://hub.example/c/abc (#CHIRP)", true), ("#Chirp, listen: https://hub.example/c/abc.", true),
        ("＃Chirp https://hub.example/c/abc", true), ("#Chirp's https://hub.example/c/abc", true),
        ("#Chirps https://hub.example/c/abc", false), ("#Chirp_ https://hub.example/c/abc", false),
        ("#Chirp2 https://hub.example/c/abc", false), ("a#Chirp https://hub.example/c/abc", false),
        ("Chirp https://hub.example/c/abc", false), ("https://hub.example/c/abc#Chirp", false),
        ("#MyChirp https://hub.example/c/abc", false), ("#Chirpé https://hub.example/c/abc", false),
    ])
    func `the tag counts as a whole, in any case`(text: String, isClip: Bool) {
        let expected: ClipLinks.Verdict = isClip ? .clips([.hub("https://hub.example/media/abc.mp3")]) : .noTag
        #expect(Self.verdict(Self.post(text)) == expected)
    }

    @Test func `the network's own list of tags counts too`() {
        let post = Self.post("see", links: ["https://hub.example/c/abc"], tags: ["other", "cHiRp"])
        #expect(Self.verdict(post) == .clips([.hub("https://hub.example/media/abc.mp3")]))
    }

    @Test func `a post that only talks about the tag is no clip`() {
        #expect(Self.verdict(Self.post("I love #Chirp!")) == .noClip)
        #expect(
            Self.verdict(Self.post("#Chirp is at https://chirp.example", links: ["https://chirp.example"])) == .noClip)
    }

    @Test func `somebody else's post is ignored`() {
        let post = Self.post("#Chirp https://hub.example/c/abc")
        #expect(Self.links.verdict(on: post, chosen: [Account.ID("2")]) == .notChosen)
        #expect(Self.links.verdict(on: post, chosen: []) == .notChosen)
    }

    /// In lower case these are more characters than as written, or fewer: places in one are not places in the other.
    @Test(arguments: [
        String(repeating: "\u{24C2}\u{200D}\u{2764}", count: 12), String(repeating: "\u{130}", count: 40),
        "\u{1E9E}\u{149}",
        "\u{212A}\u{17F}", "\u{1F1E6}\u{1F1E7}\u{1F1E6}", "e\u{301}\u{302}", "\u{600}", "(", "",
    ])
    func `whatever stands before an address, the address is found`(before: String) {
        let post = Self.post("\(before)https://hub.example/c/abc\u{20}#Chirp")
        #expect(Self.verdict(post) == .clips([.hub("https://hub.example/media/abc.mp3")]))
        #expect(Self.verdict(Self.post("\(before)https://x.y #Chirp")) == .noClip)
        #expect(Self.verdict(Self.post("\(before)HTTPS://x.y\(before) #Chirp\(before)")) != .notChosen)
    }

    @Test(arguments: [
        "http://127.0.0.1:4747/chirp/../reboot.mp3", "http://127.0.0.1:4747/chirp/%2e%2e/reboot.mp3",
        "http://127.0.0.1:4747/chirp/..%2freboot.mp3", "http://127.0.0.1:4747/chirp/a%5c..%5creboot.mp3",
        "http://127.0.0.1:4748/chirp/c/x", "https://127.0.0.1:4747/chirp/c/x", "http://127.0.0.1:4747/other/c/x",
    ])
    func `a link out of a known place is no clip`(link: String) {
        #expect(Self.links.address(of: link) == nil)
    }

    @Test func `a port that is the scheme's own may be written or not`() {
        #expect(Self.links.address(of: "https://hub.example:443/c/x") == .hub("https://hub.example/media/x.mp3"))
    }

    @Test func `an attachment is a clip, several links are several, each once, and no more than the bound`() {
        #expect(
            Self.verdict(Self.post("#Chirp", audio: ["https://files.example/a.mp3"]))
                == .clips([.attachment("https://files.example/a.mp3")]))
        let many = (0..<9).map { "https://hub.example/c/n\($0 / 2)" }
        let expected = (0..<4).map { ClipAddress.hub("https://hub.example/media/n\($0).mp3") }
        #expect(Self.verdict(Self.post("#Chirp", links: many)) == .clips(expected))
    }

    @Test func `the sound that a hub sends with a post and the page that the post links to are one clip`() {
        let page = "https://hub.example/c/aB3_x"
        let sound = "https://hub.example/media/aB3_x.mp3"
        let both = Self.post("#Chirp \(page)", links: [page], audio: [sound])
        #expect(Self.verdict(both) == .clips([.hub(sound)]))
        // Sound of followers' posts lies at an address of its own.
        let secret = "https://hub.example/media/s/0123456789.mp3"
        #expect(Self.verdict(Self.post("#Chirp \(page)", audio: [secret])) == .clips([.hub(secret)]))
        // A clip that lies elsewhere is another one.
        let drive = "https://drive.google.com/file/d/1AbcdefghijK-_9/view"
        #expect(
            Self.verdict(Self.post("#Chirp", links: [drive], audio: [sound]))
                == .clips([.drive(id: "1AbcdefghijK-_9", resourceKey: nil), .hub(sound)]))
        #expect(
            Self.verdict(Self.post("#Chirp \(page)", audio: ["https://files.example/a.mp3"]))
                == .clips([.hub(sound), .attachment("https://files.example/a.mp3")]))
    }
}
