import ChirpCommands
import ChirpCore
import ChirpHub
import ChirpIntake

extension Wiring {
    /// The program that `hub.transcribe` names; nil without one.
    var transcriber: Transcriber? {
        session.config.hubTranscribe.value.map {
            Transcriber(command: $0, intake: intake, folder: session.paths.temporary)
        }
    }

    /// What the hub asks for words.
    func transcribing() -> Transcribing? {
        guard let transcriber else { return nil }
        return Transcribing { order in
            do throws(Transcriber.Failure) {
                return .said(
                    try await offPool { () throws(Transcriber.Failure) in
                        try transcriber.transcript(of: order.path, seconds: order.seconds)
                    })
            } catch {
                switch error {
                case .refused(let why): return .refused(why: why)
                case .notNow(let why): return .notNow(why: why)
                }
            }
        }
    }
}
