import ChirpAudio
import ChirpBoards
import ChirpCommands
import ChirpCore
import ChirpIntake
import ChirpMusic

// What boards have done with sound.
extension Wiring {
    /// Recordings of attempts, listened to in children that hold nothing; one at a time, since the machine serves meanwhile.
    func boardHearing() -> BoardHearing {
        let (intake, lanes) = (intake, AsyncSemaphore(width: 1))
        return BoardHearing { path, question throws(BoardHearing.Failure) in
            guard await lanes.enter() else { throw .notNow("it was not waited for") }
            defer { lanes.leave() }
            do throws(AudioError) {
                return try await offPool { () throws(AudioError) in
                    try intake.findings(of: path, question, name: "a recording")
                }
            } catch {
                throw error.ofHearing
            }
        }
    }

    /// A voice for boards, where `espeak-ng` is installed; two texts at once, since the machine serves meanwhile.
    func boardVoice() -> BoardVoice? {
        let path = session.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        guard let program = SpeechProgram.find(searchPath: path) else { return nil }
        let lanes = AsyncSemaphore(width: 2)
        return BoardVoice { text, languages in
            guard await lanes.enter() else { return nil }
            defer { lanes.leave() }
            return try await offPool { () throws(AudioError) in
                guard let spoken = try? program.say(text, in: languages) else { return nil }
                return AnnouncementSound.file(spoken: try AnnouncementSound.samples(ofSpoken: spoken))
            }
        }
    }

    /// Announcements: a voice where `espeak-ng` is installed, three rising tones before what was recorded, and of that the last three seconds.
    func boardAnnouncing() -> BoardAnnouncing {
        let intake = intake
        let path = session.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let speech = SpeechProgram.find(searchPath: path)
        return BoardAnnouncing { order in
            try await offPool { () throws(AudioError) in
                // Without a voice, or one for the language, the tones say enough.
                var voice: [Float] = []
                if let spoken = try? speech?.say(order.words, in: order.languages + ["en"]) {
                    voice = try AnnouncementSound.samples(ofSpoken: spoken)
                }
                var recorded: [Float] = []
                if let sound = order.sound {
                    recorded = try AnnouncementSound.last(
                        of: try intake.reader(of: sound, name: "a recording", longest: .seconds(SoundFindings.longest)),
                        end: order.end)
                }
                return AnnouncementSound.file(voice: voice, recorded: recorded)
            }
        }
    }
}
