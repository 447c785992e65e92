/// An element of an answer in XML, with those in it. Namespaces are left out, since not every service has the same one.
///
/// Answers come from strangers: `XMLReader` knows no document type and no entities and bounds the depth, whoever fetches them bounds
/// their length, and the number of elements and the length of their text are bounded here.
package struct S3Answer: Hashable, Sendable {
    package let name: String
    /// Of an element without others in it.
    package private(set) var text = ""
    package private(set) var elements: [S3Answer] = []

    /// A list has a thousand entries of some ten elements each.
    private static let mostElements = 40_000
    /// A key has 1024 bytes at most, an upload's id fewer than that.
    private static let longestText = 8192

    /// The outermost element; nil when it is no XML, or more than is allowed of it.
    package init?(_ bytes: [UInt8]) {
        var reader = XMLReader(bytes)
        var open: [S3Answer] = []
        var outermost: S3Answer?
        var count = 0
        do throws(XMLReader.Fault) {
            while let event = try reader.next() {
                switch event {
                case .start(let name):
                    count += 1
                    guard count <= Self.mostElements else { return nil }
                    open.append(S3Answer(name: name.local))
                case .text(let more):
                    guard let last = open.indices.last, open[last].elements.isEmpty else { continue }
                    guard open[last].text.utf8.count + more.utf8.count <= Self.longestText else { return nil }
                    open[last].text += more
                case .end:
                    let element = open.removeLast()
                    if let above = open.indices.last {
                        open[above].text = ""
                        open[above].elements.append(element)
                    } else {
                        outermost = element
                    }
                }
            }
        } catch {
            return nil
        }
        guard let outermost else { return nil }
        self = outermost
    }

    private init(name: String) { self.name = name }

    /// The text of the first element of a name in it.
    package subscript(_ name: String) -> String? { elements.first { $0.name == name }?.text }

    func all(_ name: String) -> [S3Answer] { elements.filter { $0.name == name } }
}
