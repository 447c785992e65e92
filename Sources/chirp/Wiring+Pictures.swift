import ChirpAudio
import ChirpCore
import ChirpHub
import ChirpIntake

extension Wiring {
    /// Makes the pictures of people in children.
    func pictureIntake() -> PictureIntake {
        let (intake, folder) = (intake, session.paths.hub)
        return PictureIntake { bytes throws(PictureIntake.Refusal) in
            do throws(AudioError) {
                return try await offPool { () throws(AudioError) in
                    try intake.portrait(of: bytes, in: folder, name: "the picture")
                }
            } catch {
                throw PictureIntake.Refusal(error.whatHappened)
            }
        }
    }
}
