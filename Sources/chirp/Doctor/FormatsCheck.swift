import ChirpCodecs

/// Which recordings are read here.
enum FormatsCheck {
    static func finding() -> Finding {
        let own = ReadableFormats.own.joined(separator: ", ")
        let more = ReadableFormats.throughProgram.joined(separator: ", ")
        guard ReadableFormats.hasProgram else {
            return .note(
                "formats", "\(own); not \(more), and a hub takes no video: the program ffmpeg is not installed",
                cure: "To read those too: apt-get install ffmpeg")
        }
        return .ok("formats", "\(own); through the program ffmpeg \(more)")
    }
}
