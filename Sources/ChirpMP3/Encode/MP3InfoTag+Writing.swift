internal import ChirpAudio

extension MP3InfoTag {
    /// The whole info frame of a finished stream.
    ///
    /// Field by field what LAME 3.100 writes, with two differences: the seek table is measured in bytes (LAME adds up
    /// nominal rates), and there is one for streams whose own frames are too small for it.
    static func frame(
        format: AudioFormat, settings: MP3Settings, facts: MP3EncoderFacts, ledger: MP3Ledger, padding: Int
    ) -> [UInt8] {
        guard let header = header(format: format, settings: settings) else { return [] }
        var frame = [UInt8](repeating: 0, count: header.byteCount)
        var offset = 0
        func put(_ value: Int, _ count: Int) {
            for index in 0..<count {
                frame[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - index)))
            }
            offset += count
        }
        // LAME's number of the preset that belongs to the rate: the kbps, or 500 for V0 to 410 for V9.
        let (kbps, method, preset) =
            switch settings.rate {
            case .constant(let kbps): (kbps, 1, kbps)
            case .average(let kbps): (kbps, 2, kbps)
            case .variable(let quality): (facts.lowestKbps, 4, 500 - 10 * quality)
            }
        let length = min(ledger.bytes + header.byteCount, 0xFFFF_FFFF)

        put(Int(header.word), 4)
        offset = header.mainDataOffset
        put(method == 1 ? 0x496E_666F : 0x5869_6E67, 4)  // Info, Xing
        put(15, 4)  // frames, bytes, table and quality follow
        put(min(ledger.frames, 0xFFFF_FFFF), 4)
        put(length, 4)
        for value in ledger.seekPoints.table(leadingBytes: header.byteCount) { put(Int(value), 1) }
        put(max(0, 100 - 10 * facts.variableQuality - facts.quality), 4)
        let name = Array("LAME\(facts.version)".utf8.prefix(9))
        for index in 0..<9 { put(index < name.count ? Int(name[index]) : 0, 1) }
        put(method, 1)
        put(min((facts.lowpass + 50) / 100, 255), 1)
        put(0, 8)  // peak and ReplayGain: not measured
        // The psychoacoustic model is the only one LAME has left.
        put(facts.athType & 15 | 1 << 4 | (facts.isSafeJoint ? 1 << 5 : 0), 1)
        put(min(kbps, 255), 1)
        put(facts.encoderDelay << 12 | padding & 0xFFF, 3)
        // Noise shaping, single or joint, "unwise" (LAME's word for sources up to 32 kHz), source rate.
        let rate = format.sampleRate
        let noiseShaping = settings.quality >= 7 ? 0 : method != 4 && kbps < 176 ? 2 : 1
        let source = rate <= 32000 ? 0 : rate == 48000 ? 2 : 1
        put(noiseShaping | (format.channels == 1 ? 0 : 3) << 2 | (rate <= 32000 ? 1 : 0) << 5 | source << 6, 1)
        put(0, 1)  // gain applied afterwards
        put(preset, 2)
        put(length, 4)
        put(Int(ledger.checksum.value), 2)
        var checksum = MP3Checksum()
        checksum.add(frame.span.extracting(0..<offset))
        put(Int(checksum.value), 2)
        return frame
    }
}
