import ChirpAccounts
import ChirpCommunity
import ChirpHub
import Foundation
import HubHousehold
import Testing

extension HubCast {
    /// A frame of somebody that shows a person of this hub, whom she follows; with the token of its screen.
    func frame(
        of carer: AccountID, showing person: AccountID, _ restyle: (inout FrameStyle) -> Void = { _ in }
    ) async throws -> (frame: FrameDevice, token: OpaqueToken) {
        try await house.library.follow(person, by: carer)
        let token = OpaqueToken()
        let made = try await house.library.newFrame(token, name: "Hall", account: carer, network: .hub)
        let empty = try #require(made)
        let watched = try await house.library.watch(person, on: empty)
        let frame = try #require(watched)
        var style = frame.style
        restyle(&style)
        guard style != frame.style else { return (frame, token) }
        var change = HubLibrary.FrameChange()
        change.style = style
        return (try #require(try await house.library.change(frame.id, change)), token)
    }
}

extension ClipIntake {
    /// Writes "levelled " before what it is given.
    static func levelling() -> ClipIntake {
        ClipIntake { order throws(ClipIntake.Failure) in
            do {
                let words = try Data(contentsOf: URL(filePath: order.input))
                try (Data("levelled ".utf8) + words).write(to: URL(filePath: order.goal ?? ""))
            } catch { throw .notNow("\(error)") }
            return ClipIntake.Made(bytes: 1, sha256: "", seconds: 1, peaks: [])
        }
    }
}
