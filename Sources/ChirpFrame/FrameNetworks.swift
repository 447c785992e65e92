internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// The other networks that frames read.
package struct FrameNetworks: Sendable {
    package init() {}

    /// Those that are offered, with the names that people know.
    var offered: [(network: FrameDevice.Network, name: String)] { [] }

    func friends(of frame: FrameDevice, after: String?, _ desk: FrameDesk) async throws -> FrameFriends {
        throw Self.notOffered
    }

    /// Where somebody signs in to a network.
    func begin(
        _ frame: FrameDevice, _ network: FrameDevice.Network, server: String, _ desk: FrameDesk
    ) async throws -> String? { throw Self.notOffered }

    /// Shows somebody from there.
    func watch(_ person: String, on frame: FrameDevice, _ desk: FrameDesk) async throws -> FrameDevice? {
        throw Self.notOffered
    }

    /// The sound of an update from there.
    func sound(
        of update: FrameUpdate, on frame: FrameDevice, _ request: Request, _ desk: FrameDesk
    ) async throws -> Response { throw Problem(.notFound, "not-found", "This update has no sound") }

    /// A frame has ended: its sign-in ends there too.
    func forget(_ frame: FrameDevice, _ desk: FrameDesk) async {}

    static let notOffered = Problem(.unprocessableContent, "not-accepted", "This network is not offered here")
}
