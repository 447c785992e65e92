import ChirpTestKit
import Foundation
import Testing

/// An element of a document as expat has read it, which takes no document that is not well-formed.
struct FeedElement: Decodable {
    /// With its namespace in braces, when it has one.
    let tag: String
    let attributes: [String: String]
    let text: String
    let children: [FeedElement]

    static let itunes = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"
    static let podcast = "{https://podcastindex.org/namespace/1.0}"
    static let atom = "{http://www.w3.org/2005/Atom}"

    /// The outermost element of a document.
    static func reading(_ document: String) throws -> FeedElement {
        let script = """
            import json, sys, xml.etree.ElementTree as tree
            def show(e):
                children = [show(child) for child in e]
                return {"tag": e.tag, "attributes": e.attrib, "text": e.text or "", "children": children}
            json.dump(show(tree.fromstring(sys.stdin.buffer.read())), sys.stdout)
            """
        let result = try ExternalProgram("python3").run(["-c", script], input: Array(document.utf8))
        try #require(result.status == 0, "\(result.errors)\n\(document)")
        return try JSONDecoder().decode(FeedElement.self, from: Data(result.output))
    }

    /// The elements of that name directly in this one.
    func all(_ tag: String) -> [FeedElement] { children.filter { $0.tag == tag } }

    /// The only one of them.
    func one(_ tag: String) throws -> FeedElement {
        let found = all(tag)
        try #require(found.count == 1, "\(found.count) of \(tag)")
        return found[0]
    }
}
