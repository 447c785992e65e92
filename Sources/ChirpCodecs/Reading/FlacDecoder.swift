internal import CFLAC
internal import ChirpAudio

/// Decodes FLAC, native or in Ogg, with libFLAC: all bit depths (libsndfile refuses 12, 15 and 20), and damage is counted.
struct FlacDecoder: SourceDecoder, ~Copyable {
    let stream: SourceStream
    private let handle: FlacHandle
    private let state: FlacState
    private let isOgg: Bool
    private var position = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - isOgg: the frames are in Ogg pages.
    ///   - pieces: where they are in the file; nil for all of it.
    init(_ file: InputFile, isOgg: Bool, pieces: FilePieces? = nil) throws(AudioError) {
        let state = FlacState(pieces.map { FileRange(file, pieces: $0) } ?? FileRange(file, range: 0..<file.size))
        let handle = try FlacHandle()
        guard handle.open(state, isOgg: isOgg) else {
            throw .undecodable(name: file.name, reason: DecoderRefusal.flac)
        }
        // The first frame as well: it counts when the stream's header is missing or wrong.
        while !state.hasFrames && handle.step() {}
        if let failure = state.source.failure { throw failure }
        guard state.sampleRate > 0, state.channels > 0 else {
            throw .undecodable(name: file.name, reason: "it holds no FLAC frames")
        }
        stream = SourceStream(
            sampleRate: state.sampleRate, channels: state.channels,
            layout: ChannelLayout(usualFor: state.channels, assumed: false),
            format: "\(isOgg ? "Ogg " : "")FLAC \(state.bits)", certainFrames: nil,
            announcedFrames: state.totalFrames > 0 ? state.totalFrames : nil, canBeInvalid: false)
        self.isOgg = isOgg
        self.state = state
        self.handle = handle
    }

    var notes: [AudioNote] {
        var notes: [AudioNote] = []
        if state.hasChanged {
            notes.append(.formatChanged(atSeconds: Double(position) / Double(stream.sampleRate)))
        } else if isAtEnd, state.totalFrames > position {
            notes.append(.truncated(missingSeconds: Double(state.totalFrames - position) / Double(stream.sampleRate)))
        }
        if state.errors > 0 { notes.append(.damaged(places: state.errors)) }
        return notes
    }

    mutating func decode(into samples: inout [Float], at offset: Int, frames: Int) throws(AudioError) -> Int {
        precondition(samples.count >= (offset + frames) * stream.channels)
        while !state.hasFrames {
            guard !isAtEnd else { return 0 }
            if !handle.step() {
                if let failure = state.source.failure { throw failure }
                isAtEnd = true
            }
        }
        let count = state.give(to: &samples, at: offset, frames: frames)
        position += count
        return count
    }

    mutating func seek(toFrame frame: Int) throws(AudioError) -> Int? {
        // Without a known length the library cannot tell where the end is; damage makes positions uncertain.
        guard !isOgg, frame < state.totalFrames, state.errors == 0 else { return nil }
        state.dropFrames()
        if FLAC__stream_decoder_seek_absolute(handle.raw, FLAC__uint64(frame)) != 0, state.hasFrames {
            (position, isAtEnd) = (frame, false)
            return frame
        }
        if let failure = state.source.failure { throw failure }
        // Back to the beginning; the errors of the attempt are not the file's.
        state.dropFrames()
        state.errors = 0
        guard FLAC__stream_decoder_reset(handle.raw) != 0 else {
            throw .undecodable(
                name: state.source.file.name, reason: DecoderRefusal.flac,
                detail: "libFLAC: state \(FLAC__stream_decoder_get_state(handle.raw).rawValue) after a reset")
        }
        (position, isAtEnd) = (0, false)
        return 0
    }
}

extension FlacHandle {
    /// Decodes one block of metadata or one frame; false at the end or after a failure.
    borrowing func step() -> Bool {
        guard FLAC__stream_decoder_process_single(raw) != 0 else { return false }
        // The call itself succeeds, and does nothing, when decoding was stopped before.
        switch FLAC__stream_decoder_get_state(raw) {
        case FLAC__STREAM_DECODER_SEARCH_FOR_METADATA, FLAC__STREAM_DECODER_READ_METADATA,
            FLAC__STREAM_DECODER_SEARCH_FOR_FRAME_SYNC, FLAC__STREAM_DECODER_READ_FRAME:
            return true
        default: return false
        }
    }
}
