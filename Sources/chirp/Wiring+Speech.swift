import ChirpCommands
import ChirpCore
import ChirpHub

extension Wiring {
    /// A voice for frames, where `espeak-ng` is installed; two texts at once, since the machine serves meanwhile.
    func frameSpeech() -> FrameSpeech? {
        let path = session.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        guard let program = SpeechProgram.find(searchPath: path) else { return nil }
        let lanes = AsyncSemaphore(width: 2)
        return FrameSpeech { text, languages throws(FrameSpeech.Refusal) in
            guard await lanes.enter() else { throw FrameSpeech.Refusal("it was not waited for") }
            defer { lanes.leave() }
            do throws(SpeechProgram.Failure) {
                return try await offPool { () throws(SpeechProgram.Failure) in
                    // English is there whatever was left out.
                    try program.say(text, in: languages + ["en"])
                }
            } catch {
                switch error {
                case .noVoice: throw FrameSpeech.Refusal("there is no voice for its language")
                case .system(let why): throw FrameSpeech.Refusal("espeak-ng cannot be used: \(why)")
                case .tooLong: throw FrameSpeech.Refusal("it takes too long to say")
                }
            }
        }
    }
}
