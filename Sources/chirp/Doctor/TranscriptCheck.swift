import ChirpCommands
import ChirpIntake

/// Whether the program is there that writes down what is said. It is not started.
enum TranscriptCheck {
    static func findings(_ wiring: Wiring) -> [Finding] {
        guard let transcriber = wiring.transcriber else { return [] }
        guard let program = transcriber.program else {
            return [
                .problem(
                    "transcripts", "the program of hub.transcribe is not there, or may not be started",
                    cure: "Write its whole path into hub.transcribe, and run: chmod +x PATH")
            ]
        }
        return [.ok("transcripts", "by \(program)")]
    }
}
