import ChirpCommands
import ChirpCore

extension Finding {
    /// What a person reads: a line, and beneath it the cure when there is one.
    func line(_ console: Console) -> String {
        let mark =
            switch level {
            case .ok: console.paint("ok     ", .green)
            case .note: console.paint("note   ", .yellow)
            case .problem: console.paint("problem", .red)
            }
        let line = "\(mark)  \(check.padded(to: 13))  \(PlainText(text))"
        return cure.map { "\(line)\n         \("".padded(to: 13))  \(PlainText($0))" } ?? line
    }
}
