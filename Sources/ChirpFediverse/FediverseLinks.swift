package import ChirpFederation
package import ChirpHTTP

/// The addresses by which other servers know what is here. The only place that puts them together and takes them apart.
package struct FediverseLinks: Hashable, Sendable {
    /// What links begin with.
    package let publicURL: WebAddress
    private let base: String

    /// - Parameter publicURL: of the hub, as its pages' links begin; nil for what is no address.
    package init?(publicURL: String) {
        guard let address = WebAddress(publicURL) else { return nil }
        self.publicURL = address
        base = publicURL
    }

    /// The hub's name behind the `@`, with its port where that is not the usual one.
    package var host: String { Self.host(of: publicURL) }

    package func actor(_ id: String) -> ObjectID { ObjectID(below("/ap/actors/\(id)")) }
    package func inbox(_ id: String) -> WebAddress { below("/ap/actors/\(id)/inbox") }
    package func outbox(_ id: String) -> WebAddress { below("/ap/actors/\(id)/outbox") }
    package func followers(_ id: String) -> WebAddress { below("/ap/actors/\(id)/followers") }
    package func following(_ id: String) -> WebAddress { below("/ap/actors/\(id)/following") }
    package var sharedInbox: WebAddress { below("/ap/inbox") }
    package func note(_ post: String) -> ObjectID { ObjectID(below("/ap/notes/\(post)")) }
    /// That a post was made, for who reads an outbox.
    package func creation(of post: String) -> ObjectID { ObjectID(below("/ap/notes/\(post)/activity")) }
    package func activity(_ id: String) -> ObjectID { ObjectID(below("/ap/activities/\(id)")) }
    package func page(_ path: String) -> WebAddress { below(path) }

    /// Which actor of this hub an id names, by the part of its address; nil for another's.
    package func actorID(_ id: ObjectID) -> String? { tail(id, behind: "/ap/actors/") }
    /// Which post; nil for what is none of this hub's.
    package func postID(_ id: ObjectID) -> String? { tail(id, behind: "/ap/notes/") }
    /// Which activity; nil for what is none of this hub's.
    package func activityID(_ id: ObjectID) -> String? { tail(id, behind: "/ap/activities/") }

    /// A server's name as tables and rules have it: with the port where one is named.
    package static func host(of address: WebAddress) -> String {
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        return host + (address.port.map { ":\($0)" } ?? "")
    }

    private func tail(_ id: ObjectID, behind path: String) -> String? {
        let start = base + path
        guard id.text.hasPrefix(start) else { return nil }
        let tail = id.text.dropFirst(start.count)
        let isName = tail.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        return (1...64).contains(tail.utf8.count) && isName ? String(tail) : nil
    }

    /// - Parameter path: of what this hub makes itself: letters, digits, and what paths are made of.
    private func below(_ path: String) -> WebAddress {
        let prefix = publicURL.path == "/" ? "" : publicURL.path
        return publicURL.replacing(path: prefix + path)
    }
}
