internal import ChirpAudio
internal import ChirpCore

/// The file of a clip while it is made of a lane's frames: patched, behind a place for what is known last (ID3 tag, info
/// frame). Frames can be added as they come, and those that turn out not to be needed are dropped at the end.
struct StagedFile: ~Copyable {
    private struct Layout: Equatable {
        var head: MP3CutHead
        var patch: GlobalGainPatch
    }

    private let file: MP3TemporaryFile
    private let stream: LaneStream
    private let id3: [UInt8]
    private let infoBytes: Int
    private var layout: Layout?
    private var lead: [UInt8] = []
    /// The checksum of the clip up to the start of each frame that is there, and to the end of the last.
    private var checksums = [MP3Checksum()]
    /// Where the first frame begins in the stream, and the next one.
    private var source = 0..<0
    /// How far anything was written.
    private var end = 0
    private var flushed = 0

    /// - Parameters:
    ///   - staged file: what is there already, of the same target and stream; otherwise a new file is made.
    ///   - isNameless: see ``MP3TemporaryFile/init(path:isNameless:)``.
    static func open(
        _ staged: consuming StagedFile?, or target: IncrementalTarget, of stream: LaneStream, isNameless: Bool
    ) throws(AudioError) -> StagedFile {
        if let staged { return staged }
        return try StagedFile(target, of: stream, isNameless: isNameless)
    }

    private init(_ target: IncrementalTarget, of stream: LaneStream, isNameless: Bool) throws(AudioError) {
        file = try MP3TemporaryFile(path: target.path, isNameless: isNameless)
        self.stream = stream
        id3 = target.tag.encoded()
        infoBytes = MP3InfoTag.frameBytes(format: stream.format, settings: stream.settings)
    }

    /// How the frames that are there were patched; nil when there are none.
    var patch: GlobalGainPatch? { layout?.patch }
    /// How many bytes are there, the place in front included.
    var bytes: Int { id3.count + infoBytes + lead.count + source.count }

    /// Begins anew, unless the file begins like that already.
    mutating func begin(_ head: MP3CutHead, _ patch: GlobalGainPatch) throws(AudioError) {
        guard layout != Layout(head: head, patch: patch) else { return }
        layout = nil
        let before = max(0, head.first - MP3CutHead.reach)..<head.first
        let offset = stream.offset(of: before.lowerBound)
        let (sizes, bytes) = try stream.read(before, at: offset, isWhole: true)
        var mainData: [UInt8] = []
        var start = 0
        for size in sizes {
            let header = MP3FrameHeader(bytes.span, at: start)
            mainData += bytes[start..<start + size].dropFirst(header?.mainDataOffset ?? 0)
            start += size
        }
        lead = head.leadBytes(mainData)
        source = offset + bytes.count..<offset + bytes.count
        var checksum = MP3Checksum()
        checksum.add(lead.span)
        checksums = [checksum]
        try put(lead, at: id3.count + infoBytes)
        layout = Layout(head: head, patch: patch)
    }

    /// Takes frames that are not there yet.
    ///
    /// - Parameters:
    ///   - end: the frame of the stream to end before, if there are so many.
    ///   - isUnwanted: asked now and then; true ends it early.
    /// - Returns: false when a frame cannot be patched.
    mutating func grow(to end: Int = .max, isUnwanted: () -> Bool = { false }) throws(AudioError) -> Bool {
        guard let layout else { return true }
        while !isUnwanted() {
            let next = layout.head.first + checksums.count - 1
            var (sizes, bytes) = try stream.read(next..<max(next, end), at: source.upperBound)
            guard var checksum = checksums.last, !sizes.isEmpty else { return true }
            var (start, isPossible) = (0, true)
            for size in sizes {
                var all = bytes.mutableSpan
                var frame = all._mutatingExtracting(start..<start + size)
                isPossible = isPossible && layout.patch.apply(to: &frame)
                checksum.add(frame.span)
                checksums.append(checksum)
                start += size
            }
            guard isPossible else {
                self.layout = nil
                return false
            }
            try put(bytes, at: self.bytes)
            source = source.lowerBound..<source.upperBound + bytes.count
        }
        return true
    }

    private mutating func put(_ bytes: [UInt8], at offset: Int) throws(AudioError) {
        try file.write(bytes.span, at: offset)
        end = max(end, offset + bytes.count)
        flushed = min(flushed, offset)
    }

    /// Sends what came since the last time to the disk, when that is worth it.
    ///
    /// - Parameter most: bytes that may stay behind.
    mutating func flush(leaving most: Int) throws(AudioError) {
        guard end - flushed > most else { return }
        try file.flush()
        flushed = end
    }

    /// Ends the clip; the file appears under its name.
    ///
    /// - Parameter cut: begins like the file, and all of its frames are there.
    /// - Returns: what was written, and its SHA-256 in hexadecimal.
    consuming func finish(_ cut: MP3FrameCut) throws(AudioError) -> (report: MP3Report, sha256: String) {
        precondition(layout?.head == cut.head && cut.frames.count < checksums.count)
        let index = stream.index
        let sizes = index.entries[cut.frames].map { Int($0.bytes) }
        let leads = cut.head.lead.map { _ in cut.head.leadHeader?.byteCount ?? 0 }
        let ledger = MP3Ledger(
            cut.head.leadHeader ?? index.header, sizes: leads + sizes, checksum: checksums[cut.frames.count])
        var facts = stream.facts
        facts.encoderDelay = cut.head.delay
        let infoFrame = MP3InfoTag.frame(
            format: stream.format, settings: stream.settings, facts: facts, ledger: ledger, padding: cut.padding)
        try file.write((id3 + infoFrame).span, at: 0)
        let size = id3.count + infoFrame.count + ledger.bytes
        if end > size { try file.truncate(to: size) }
        let sha256 = try file.commitHashed()
        let report = MP3Report(
            bytes: ByteCount(size), frames: cut.end - cut.head.start, mp3Frames: ledger.frames,
            encoderDelay: cut.head.delay, padding: cut.padding, averageKbps: ledger.averageKbps, id3Bytes: id3.count,
            measured: nil)
        return (report, sha256)
    }
}
