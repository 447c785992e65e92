internal import CFLAC
internal import ChirpAudio

/// Owns one libFLAC stream decoder.
struct FlacHandle: ~Copyable {
    let raw: UnsafeMutablePointer<FLAC__StreamDecoder>

    init() throws(AudioError) {
        guard let raw = FLAC__stream_decoder_new() else { throw .library(name: "libFLAC", code: 0) }
        self.raw = raw
    }

    deinit { FLAC__stream_decoder_delete(raw) }

    /// Begins to read. The state must live as long as the handle is used; deleting a decoder calls nothing back.
    ///
    /// - Parameter isOgg: the frames are in Ogg pages.
    borrowing func open(_ state: FlacState, isOgg: Bool) -> Bool {
        let client = Unmanaged.passUnretained(state).toOpaque()
        let begin = isOgg ? FLAC__stream_decoder_init_ogg_stream : FLAC__stream_decoder_init_stream
        let status = begin(
            raw, flacRead, flacSeek, flacTell, flacLength, flacIsAtEnd, flacWrite, flacMetadata, flacError, client)
        return status == FLAC__STREAM_DECODER_INIT_STATUS_OK
    }
}

private typealias Decoder = UnsafePointer<FLAC__StreamDecoder>?
private typealias Client = UnsafeMutableRawPointer?

private func state(_ client: Client) -> FlacState? {
    client.map { Unmanaged<FlacState>.fromOpaque($0).takeUnretainedValue() }
}

private nonisolated func flacRead(
    _: Decoder, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: UnsafeMutablePointer<Int>?, _ client: Client
) -> FLAC__StreamDecoderReadStatus {
    guard let state = state(client), let count else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
    let read = state.source.read(into: buffer, count: count.pointee)
    count.pointee = max(0, read)
    return read < 0
        ? FLAC__STREAM_DECODER_READ_STATUS_ABORT
        : read == 0 ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
}

private nonisolated func flacSeek(_: Decoder, _ offset: UInt64, _ client: Client) -> FLAC__StreamDecoderSeekStatus {
    let reached = state(client)?.source.seek(offset: Int(clamping: offset), whence: 0) ?? -1
    return reached < 0 ? FLAC__STREAM_DECODER_SEEK_STATUS_ERROR : FLAC__STREAM_DECODER_SEEK_STATUS_OK
}

private nonisolated func flacTell(
    _: Decoder, _ offset: UnsafeMutablePointer<UInt64>?, _ client: Client
) -> FLAC__StreamDecoderTellStatus {
    guard let state = state(client) else { return FLAC__STREAM_DECODER_TELL_STATUS_ERROR }
    offset?.pointee = UInt64(state.source.position)
    return FLAC__STREAM_DECODER_TELL_STATUS_OK
}

private nonisolated func flacLength(
    _: Decoder, _ length: UnsafeMutablePointer<UInt64>?, _ client: Client
) -> FLAC__StreamDecoderLengthStatus {
    guard let state = state(client) else { return FLAC__STREAM_DECODER_LENGTH_STATUS_ERROR }
    length?.pointee = UInt64(state.source.count)
    return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
}

private nonisolated func flacIsAtEnd(_: Decoder, _ client: Client) -> FLAC__bool {
    guard let state = state(client) else { return 1 }
    return state.source.position >= state.source.count ? 1 : 0
}

private nonisolated func flacWrite(
    _: Decoder, _ frame: UnsafePointer<FLAC__Frame>?,
    _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>?, _ client: Client
) -> FLAC__StreamDecoderWriteStatus {
    guard let state = state(client), let frame, let planes, state.take(frame.pointee.header, planes) else {
        return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
    }
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
}

private nonisolated func flacMetadata(
    _: Decoder, _ metadata: UnsafePointer<FLAC__StreamMetadata>?, _ client: Client
) {
    guard let state = state(client), let metadata, metadata.pointee.type == FLAC__METADATA_TYPE_STREAMINFO else {
        return
    }
    state.describe(metadata.pointee.data.stream_info)
}

private nonisolated func flacError(_: Decoder, _: FLAC__StreamDecoderErrorStatus, _ client: Client) {
    state(client)?.errors += 1
}
