import ChirpAudio
import ChirpBoards
import ChirpHub
import ChirpIntake

// What a fault in reading or making means for what was sent: told apart in one place, for clips, films, tracks and recordings alike.
extension AudioError {
    var ofClip: ClipIntake.Failure {
        switch self {
        case _ where isOfMachine: .unable(whatHappened)
        case .crashed: .died
        case .missing, .inputOutput, .library, .cancelled, .uncreatable: .notNow(whatHappened)
        case .undecodable, .nothingToHear, .unsupported, .settings, .outside, .programMissing: .refused(whatHappened)
        }
    }

    var ofTrack: TrackMaking.Failure {
        switch ofClip {
        case .refused(let why): .refused(why)
        case .died: .died
        case .notNow(let why): .notNow(why)
        case .unable(let why): .unable(why)
        }
    }

    /// Of a recording that is listened to: there is nobody to be told why, and what fails again and again stays unheard.
    var ofHearing: BoardHearing.Failure {
        self == .cancelled || isOfMachine ? .notNow(whatHappened) : .died
    }
}
