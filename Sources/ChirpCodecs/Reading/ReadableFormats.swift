/// What recordings are read, for people.
public enum ReadableFormats {
    /// By this program and its libraries.
    public static let own = ["WAV", "RF64", "W64", "AIFF", "CAF", "AU", "FLAC", "Ogg Vorbis", "Opus", "MP3"]
    /// Where the program `ffmpeg` is installed.
    public static let throughProgram = [
        "M4A", "MP4", "3GP", "AMR", "AAC", "WebM", "WMA", "APE", "WavPack", "Speex", "Musepack",
    ]

    /// Whether `ffmpeg` is there.
    public static var hasProgram: Bool { FFmpegProgram.path != nil }
}
