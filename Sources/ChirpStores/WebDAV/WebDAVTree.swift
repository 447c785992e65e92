package import ChirpHTTP
internal import FoundationEssentials

/// The files below a collection of a WebDAV server, by their places: how workers of a fleet read recordings and leave clips.
///
/// What is asked for lies below the collection: every part of a place is percent-encoded, and none may be empty, `.` or `..`.
/// Redirects are refused, so what signs in is sent to this server alone. Every call may be repeated.
package struct WebDAVTree: Sendable {
    package let root: WebAddress
    private let transport: any HTTPTransport

    /// - Parameter transport: one that signs in.
    package init(root: WebAddress, transport: any HTTPTransport) {
        self.root = root
        self.transport = transport
    }

    /// Whether the collection is there, and its server lets this user in.
    package func exists() async throws(StoreError) -> Bool { try await server([]).exists() }

    /// Fetches a file into one without a name, which goes when it is closed.
    ///
    /// - Parameters:
    ///   - place: one part or more.
    ///   - bytes: its exact size; more or fewer are refused.
    ///   - folder: where there is room for it.
    /// - Returns: a descriptor for reading that the caller closes.
    package func open(_ place: [String], bytes: Int64, in folder: String) async throws(StoreError) -> Int32 {
        guard let name = place.last, Self.isBeneath(name) else { throw .unsupported("read what is no file in it") }
        return try await server(place.dropLast()).open(name, bytes: bytes, in: folder)
    }

    /// Leaves a file in a collection that is there. It appears under its name when it is whole, in place of what has that name.
    package func save(_ payload: Payload, as name: String, in folder: [String]) async throws(StoreError) {
        let server = try server(folder[...])
        let temporary = WebDAVStore.temporary(StoredObject.ID(name))
        do throws(StoreError) {
            try await server.put(payload, as: temporary, makesFolder: false)
            guard try await server.size(temporary) == payload.bytes else {
                throw .unreachable("a part of the clip was lost on the way")
            }
            if try await !server.move(temporary, to: name, replacing: true) {
                // An earlier move may have been carried out and its answer lost.
                guard try await server.size(name) == payload.bytes else {
                    throw .unreachable("the clip disappeared while it was put into place")
                }
            }
        } catch {
            // The next attempt writes over it; where there will be none it must not stay.
            if error.isPermanent { try? await server.delete(temporary) }
            throw error
        }
    }

    private func server(_ folder: ArraySlice<String>) throws(StoreError) -> WebDAVServer {
        var address = root
        for part in folder {
            guard Self.isBeneath(part) else { throw .unsupported("leave its collection") }
            address = address.appending(part)
        }
        return WebDAVServer(folder: address, transport: transport, now: { Date() })
    }

    private static func isBeneath(_ part: String) -> Bool { !["", ".", ".."].contains(part) && !part.contains("/") }
}
