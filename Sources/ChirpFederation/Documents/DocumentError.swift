internal import ChirpCore

/// What is wrong with a document that another server has sent. No case holds its content but the names of its members.
package enum DocumentError: Error, Hashable {
    case tooLarge(limit: Int)
    case tooDeep(limit: Int)
    /// More values than a document of this kind ever has.
    case tooMany(limit: Int)
    case notJSON
    /// A member that is needed is not there.
    case missing(String)
    /// A member is not what it has to be.
    case malformed(String)
    /// A member names something of another server, for which this one may not speak.
    case foreign(String)

    package var whatHappened: String {
        switch self {
        case .tooLarge(let limit): "the document has more than \(limit) bytes"
        case .tooDeep(let limit): "the document is nested more than \(limit) deep"
        case .tooMany(let limit): "the document has more than \(limit) values"
        case .notJSON: "the document is not JSON"
        case .missing(let name): "the document has no '\(PlainText(name, limit: 100))'"
        case .malformed(let name): "'\(PlainText(name, limit: 100))' of the document cannot be used"
        case .foreign(let name): "'\(PlainText(name, limit: 100))' of the document is of another server"
        }
    }
}
