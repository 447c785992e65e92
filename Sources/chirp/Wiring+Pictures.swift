import ChirpAudio
import ChirpCodecs
import ChirpCommands
import ChirpCommunity
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
        } item: { bytes throws(PictureIntake.Refusal) in
            try await Self.itemPicture(bytes, intake, folder)
        }
    }

    /// Makes the pictures of a thing that is listed, in a child too.
    func itemPicture(_ bytes: [UInt8]) async throws(PictureIntake.Refusal) -> NewPicture {
        try await Self.itemPicture(bytes, intake, session.paths.hub)
    }

    private static func itemPicture(
        _ bytes: [UInt8], _ intake: Intake, _ folder: String
    ) async throws(PictureIntake.Refusal) -> NewPicture {
        let made: ItemPicture
        do throws(AudioError) {
            made = try await offPool { () throws(AudioError) in
                try intake.itemPicture(of: bytes, in: folder, name: "the picture")
            }
        } catch {
            throw PictureIntake.Refusal(error.whatHappened)
        }
        guard let print = PicturePrint(bits: made.print, quality: made.quality), made.files.count == 3 else {
            throw PictureIntake.Refusal("it cannot be made small")
        }
        let files = made.files.map { NewPicture.File(jpeg: $0.jpeg, width: $0.width, height: $0.height) }
        return NewPicture(small: files[0], medium: files[1], large: files[2], print: print)
    }

    private static func made(
        _ make: @escaping @Sendable () throws(AudioError) -> [UInt8]
    ) async throws(PictureIntake.Refusal) -> [UInt8] {
        do throws(AudioError) { return try await offPool(make) } catch {
            throw PictureIntake.Refusal(error.whatHappened)
        }
    }
}
