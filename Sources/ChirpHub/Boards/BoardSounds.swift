internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import ChirpWeb
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes

/// Makes clips of what is said on boards. It is decoded where that can do no harm (``ClipIntake``), never here.
struct BoardSounds {
    let library: HubLibrary
    let intake: ClipIntake
    let quota: ByteCount

    /// Waits until the clip is there. Nobody hears it but its owner until what it is a part of is placed; one that is a part of nothing is
    /// swept.
    ///
    /// - Throws: ``Problem`` with the reason.
    func take(_ sound: SentFile, title: String, of owner: AccountID) async throws -> HubID {
        let room = try await library.room(of: owner, quota: quota)
        guard room.free.bytes > 0 else { throw Self.refusal(word("problem.no-room")) }
        let (input, id) = (library.uploads.file(HubID()), HubID())
        defer { unlink(input) }
        try await sound.write(to: input)
        let made = try await make(input, title: title, goal: library.media.file(id))
        let now = library.now()
        var clip = HubClip(
            id: id, title: title, fileName: HubClip.fileName(of: "", title: title, made: now),
            contentType: "audio/mpeg", bytes: made.bytes, sha256: made.sha256,
            sound: HubSound(seconds: made.seconds, peaks: made.peaks), created: now, expires: nil, shared: false)
        clip.owner = owner
        // Without a row the file is swept.
        if try await library.insert(clip) != nil { throw Self.refusal(word("problem.no-room")) }
        return id
    }

    private func make(_ input: String, title: String, goal: String) async throws -> ClipIntake.Made {
        let digest = try FileDigest.reading(input)
        do throws(ClipIntake.Failure) {
            return try await intake.make(
                ClipIntake.Order(
                    id: HubID().text, input: input, name: "listing", title: title, sha256: digest.sha256, goal: goal))
        } catch {
            switch error {
            case .refused(let why), .notNow(let why), .unable(let why): throw Self.refusal(why)
            case .died: throw Self.refusal(word("problem.failed"))
            }
        }
    }

    private static func refusal(_ reason: String) -> Problem {
        Problem(.unprocessableContent, "refused", "This cannot be used", detail: reason)
    }
}
