public import ChirpAudio
internal import Glibc

/// Writes an MP3 to a pipe, a socket or any open file: ID3 tag, info frame, audio frames, in this order.
///
/// The info frame is known when the last sample is, so nothing is written before ``finish()``: the audio frames wait in
/// memory up to 4 MiB (half an hour of speech), beyond that in a file without a name.
public struct MP3StreamWriter: ~Copyable, AudioWriter {
    private var body: MP3Body
    private var spool: MP3Spool
    private let id3: [UInt8]
    private let descriptor: Int32
    private let name: String

    /// - Parameters:
    ///   - descriptor: open for writing; stays open and stays the caller's.
    ///   - name: for errors, such as `standard output`.
    ///   - format: of the blocks and of the MP3.
    ///   - tag: an empty one writes none.
    ///   - jobs: threads for encoding, 1 or more; does not change the bytes.
    ///   - expectedFrames: the length of the signal when known; with it several threads share the work better.
    ///   - spoolFolder: for what does not fit in memory.
    /// - Throws: what ``MP3Settings/validate(for:)`` says.
    public init(
        descriptor: Int32, name: String, format: AudioFormat, settings: MP3Settings, tag: ID3Tag = ID3Tag(),
        jobs: Int = 1,
        expectedFrames: Int? = nil, spoolFolder: String = "/tmp"
    ) throws(AudioError) {
        id3 = tag.encoded()
        body = try MP3Body(
            format: format, settings: settings, id3Bytes: id3.count, jobs: jobs, expectedFrames: expectedFrames)
        spool = MP3Spool(folder: spoolFolder)
        self.descriptor = descriptor
        self.name = name
    }

    public mutating func write(_ block: borrowing AudioBlock) throws(AudioError) {
        try body.write(block) { (bytes) throws(AudioError) in try spool.add(bytes) }
    }

    public consuming func finish() throws(AudioError) { _ = try close() }

    /// As ``finish()``, and tells what was written.
    public consuming func close() throws(AudioError) -> MP3Report {
        let (descriptor, name, id3) = (descriptor, name, id3)
        var spool = spool
        let (infoFrame, report) = try body.finish { (bytes) throws(AudioError) in try spool.add(bytes) }
        try writeAll((id3 + infoFrame).span, to: descriptor, name: name)
        try spool.drain { (bytes) throws(AudioError) in try writeAll(bytes, to: descriptor, name: name) }
        return report
    }
}
