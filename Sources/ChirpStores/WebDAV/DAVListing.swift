internal import ChirpCore
package import FoundationEssentials

/// What lies in a collection: a 207 answer to PROPFIND with `Depth: 1` (RFC 4918 section 9.1).
///
/// An address of each resource stands in its `href`, whole or from the root on, percent-encoded. Those that end in a slash are
/// collections, the one that was asked for among them.
package struct DAVListing: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package let name: String
        /// When it was changed last, by the server's clock; nil when it does not say.
        package var modified: Date?

        package init(name: String, modified: Date? = nil) {
            self.name = name
            self.modified = modified
        }
    }

    package private(set) var entries: [Entry] = []

    /// What is asked.
    static let request =
        #"<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><getlastmodified/></prop></propfind>"#

    /// An address is not longer.
    private static let longestText = 4096

    /// Nil when the answer is no such list.
    package init?(_ answer: [UInt8]) {
        var reader = XMLReader(answer)
        do throws(XMLReader.Fault) { guard try read(&reader) else { return nil } } catch { return nil }
    }

    /// - Returns: whether it is a `multistatus`.
    private mutating func read(_ reader: inout XMLReader) throws(XMLReader.Fault) -> Bool {
        let (response, address) = (
            Self.path(["multistatus", "response"]), Self.path(["multistatus", "response", "href"])
        )
        let modified = Self.path(["multistatus", "response", "propstat", "prop", "getlastmodified"])
        var path: [XMLReader.Name] = []
        var text = ""
        var isList = false
        var current: (name: String?, modified: Date?) = (nil, nil)
        while let event = try reader.next() {
            switch event {
            case .start(let name):
                path.append(name)
                text = ""
                if path.count == 1 { isList = path[0] == response[0] }
                if path == response { current = (nil, nil) }
            case .text(let more):
                if text.utf8.count <= Self.longestText { text += more }
            case .end:
                if path == address { current.name = Self.name(text) }
                if path == modified { current.modified = HTTPDate.parse(text) }
                if path == response, let name = current.name {
                    entries.append(Entry(name: name, modified: current.modified))
                }
                path.removeLast()
                text = ""
            }
        }
        return isList
    }

    /// The last part of an address; nil for a collection, and for what is too long.
    private static func name(_ address: String) -> String? {
        guard address.utf8.count <= longestText else { return nil }
        let last = address.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let name = PercentEncoding.decode(last.prefix { !$0.isWhitespace })
        return name.isEmpty ? nil : name
    }

    private static func path(_ names: [String]) -> [XMLReader.Name] {
        names.map { XMLReader.Name(namespace: "DAV:", local: $0) }
    }
}
