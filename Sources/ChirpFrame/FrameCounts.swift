internal import Synchronization

/// How often something happened at frames: names of screens, errors and controls, without a person and without content. They begin anew
/// with the server.
package final class FrameCounts: Sendable {
    /// What is counted.
    package struct Name: Hashable, Sendable, Comparable {
        /// `screen`, `error` or `press`.
        package let kind: String
        /// A plain word.
        package let name: String

        package static func < (one: Name, other: Name) -> Bool { (one.kind, one.name) < (other.kind, other.name) }
    }

    private let counts = Mutex<[Name: Int]>([:])
    private static let most = 200

    /// Counts one. What is no plain word is not, and neither are more names than there can be.
    func add(_ kind: String, _ name: String) -> Bool {
        let isPlain =
            (1...40).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
            }
        guard isPlain else { return false }
        counts.withLock { counts in
            let key = Name(kind: kind, name: name)
            guard counts[key] != nil || counts.count < Self.most else { return }
            counts[key, default: 0] += 1
        }
        return true
    }

    /// All of them, in order.
    package var all: [(name: Name, count: Int)] {
        counts.withLock { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    }
}
