import ChirpAudio
import ChirpBoards
import ChirpClips
import ChirpCommands
import ChirpFlows
import ChirpIntake
import ChirpMusic

// How previews are made that tell whose they are, and copies of them are listened to.
extension Wiring {
    /// Nil where nothing can speak.
    ///
    /// - Parameter lane: of everything that is made of tracks. Who asks whose a copy is has one of her own, since she waits for the answer.
    func listenerTagging(_ lane: TrackLane) -> ListenerTagging? {
        guard let speech = trackVoice() else { return nil }
        let (intake, folder, asking) = (intake, session.paths.temporary, TrackLane())
        return ListenerTagging(
            prepare: { (path, id, person) async throws(ListenerTagging.Failure) in
                try await lane.run { () throws(AudioError) in
                    let master = try intake.master(of: path, name: "the master")
                    guard let voice = TrackVoice(saying: person, by: speech, in: folder) else {
                        throw .nothingToHear(name: "the voice", reason: "the name of the account cannot be said")
                    }
                    let slots = Self.slots(of: master, voice: voice.seconds)
                    guard !slots.beats.isEmpty else {
                        throw .unsupported(name: "the track", reason: "it is too short for a voice")
                    }
                    return ListenerTagging.Ground(
                        slots: slots, common: TagPlan(slots, seed: TrackVoice.seed(of: id)), voice: voice.bytes)
                }
            },
            make: { (order) async throws(ListenerTagging.Failure) in
                try await lane.run { () throws(AudioError) in
                    let voice = try TrackVoice(order.voice, in: folder)
                    let wishes = PreviewWishes(title: order.title, artist: order.person, places: order.places)
                    _ = try intake.preview(
                        of: order.master, wishes, voice: voice.path, to: order.goal, name: "the master")
                }
            },
            hear: { (copy, master, sound) async throws(ListenerTagging.Failure) in
                try await asking.run { () throws(AudioError) in
                    let voice = try TrackVoice(sound, in: folder)
                    return try intake.trace(copy, in: master, voice: voice.path, name: "the copy")
                }
            })
    }
}
