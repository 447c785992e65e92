import ChirpAudio
import ChirpCore
import ChirpHub
import ChirpIntake

extension Wiring {
    /// Makes the pictures of people, and photos for screens, in children.
    func pictureIntake() -> PictureIntake {
        let (intake, folder) = (intake, session.paths.hub)
        return PictureIntake { bytes throws(PictureIntake.Refusal) in
            try await Self.made { () throws(AudioError) in
                try intake.portrait(of: bytes, in: folder, name: "the picture")
            }
        } screen: { bytes throws(PictureIntake.Refusal) in
            try await Self.made { () throws(AudioError) in
                try intake.screenPicture(of: bytes, in: folder, name: "the picture")
            }
        }
    }

    private static func made(
        _ make: @escaping @Sendable () throws(AudioError) -> [UInt8]
    ) async throws(PictureIntake.Refusal) -> [UInt8] {
        do throws(AudioError) { return try await offPool(make) } catch {
            throw PictureIntake.Refusal(error.whatHappened)
        }
    }
}
