public import ChirpAudio

/// Writes an MP3 file: ID3 tag, info frame, audio frames. The file appears under its name only when it is whole.
public struct MP3FileWriter: ~Copyable, AudioWriter {
    private let file: MP3TemporaryFile
    private var body: MP3Body
    private let id3Bytes: Int
    private let flushes: Bool

    /// - Parameters:
    ///   - path: an existing regular file is replaced at the end.
    ///   - format: of the blocks and of the MP3.
    ///   - tag: an empty one writes none.
    ///   - jobs: threads for encoding, 1 or more; does not change the bytes.
    ///   - expectedFrames: the length of the signal when known; with it several threads share the work better.
    ///   - measures: decode and measure the result while it is made (``MP3Report/measured``).
    ///   - outlines: measuring also finds what a picture needs (``MP3Measurement/outline``).
    ///   - flushes: the file appears only once all it holds is on the disk; false leaves that to whoever moves it on.
    /// - Throws: what ``MP3Settings/validate(for:)`` says, ``AudioError/uncreatable(path:reason:)`` or
    ///   ``AudioError/inputOutput(path:reason:)``.
    public init(
        path: String, format: AudioFormat, settings: MP3Settings, tag: ID3Tag = ID3Tag(), jobs: Int = 1,
        expectedFrames: Int? = nil, measures: Bool = false, outlines: Bool = false, flushes: Bool = true
    ) throws(AudioError) {
        let id3 = tag.encoded()
        let body = try MP3Body(
            format: format, settings: settings, id3Bytes: id3.count, jobs: jobs, expectedFrames: expectedFrames,
            measures: measures, outlines: outlines)
        let file = try MP3TemporaryFile(path: path)
        // The info frame is known last; its size is known now.
        let place = [UInt8](repeating: 0, count: MP3InfoTag.frameBytes(format: format, settings: settings))
        try file.write((id3 + place).span)
        id3Bytes = id3.count
        self.flushes = flushes
        self.file = file
        self.body = body
    }

    public mutating func write(_ block: borrowing AudioBlock) throws(AudioError) {
        try body.write(block) { (bytes) throws(AudioError) in try file.write(bytes) }
    }

    public consuming func finish() throws(AudioError) { _ = try close() }

    /// As ``finish()``, and tells what was written.
    public consuming func close() throws(AudioError) -> MP3Report {
        let file = file
        let (id3Bytes, flushes) = (id3Bytes, flushes)
        let (infoFrame, report) = try body.finish { (bytes) throws(AudioError) in try file.write(bytes) }
        try file.write(infoFrame.span, at: id3Bytes)
        try file.commit(flushing: flushes)
        return report
    }
}
