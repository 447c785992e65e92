internal import ChirpCore

/// Numbers that a WebDAV server tells of one resource: a 207 answer to PROPFIND (RFC 4918 sections 9.1 and 13).
///
/// Only what stands in a `propstat` of status 200 counts, and namespaces count, not prefixes. What is absent, no number, negative
/// (some servers write that for "no limit known") or no XML at all is unknown.
package struct DAVProperties: Hashable, Sendable {
    /// The size of a file (RFC 4918 section 15.4).
    package var contentLength: Int64? { numbers["getcontentlength"] }

    /// The room of a collection (RFC 4331).
    package var quota: Quota {
        Quota(
            used: numbers["quota-used-bytes"].map { ByteCount($0) },
            free: numbers["quota-available-bytes"].map { ByteCount($0) })
    }

    private var numbers: [String: Int64] = [:]

    /// What is asked.
    static let request =
        #"<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><getcontentlength/><quota-available-bytes/>"#
        + "<quota-used-bytes/></prop></propfind>"

    /// Reads the first resource of an answer.
    package init(_ answer: [UInt8]) {
        var reader = XMLReader(answer)
        do throws(XMLReader.Fault) { try read(&reader) } catch { numbers = [:] }
    }

    private mutating func read(_ reader: inout XMLReader) throws(XMLReader.Fault) {
        var path: [XMLReader.Name] = []
        var text = ""
        var current: [String: Int64] = [:]
        var isGood = false
        while let event = try reader.next() {
            switch event {
            case .start(let name):
                path.append(name)
                text = ""
                if name == Self.dav("propstat") { (current, isGood) = ([:], false) }
            case .text(let more):
                if text.utf8.count < 1000 { text += more }
            case .end(let name):
                path.removeLast()
                if path.last == Self.dav("prop"), name.namespace == "DAV:" {
                    current[name.local] = Int64(text.filter { !$0.isWhitespace }).flatMap { $0 >= 0 ? $0 : nil }
                } else if path.last == Self.dav("propstat"), name == Self.dav("status") {
                    isGood = text.split(separator: " ").dropFirst().first == "200"
                } else if name == Self.dav("propstat"), isGood {
                    numbers.merge(current) { first, _ in first }
                } else if name == Self.dav("response") {
                    return
                }
                text = ""
            }
        }
    }

    private static func dav(_ local: String) -> XMLReader.Name { XMLReader.Name(namespace: "DAV:", local: local) }
}
