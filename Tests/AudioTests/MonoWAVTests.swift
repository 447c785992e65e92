import ChirpAudio
import Testing

struct MonoWAVTests {
    @Test func `a small WAV says its rate and length, and holds each sample in 16 bits`() {
        let bytes = MonoWAV.file([0, 1, -1, 0.5], rate: 16_000)
        func number(_ place: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        #expect(bytes.count == MonoWAV.headBytes + 8)
        #expect(String(decoding: bytes[0..<4] + bytes[8..<16], as: UTF8.self) == "RIFFWAVEfmt ")
        #expect(number(4, 4) == bytes.count - 8)
        #expect([number(20, 2), number(22, 2), number(24, 4), number(28, 4)] == [1, 1, 16_000, 32_000])
        #expect([number(32, 2), number(34, 2), number(40, 4)] == [2, 16, 8])
        #expect(stride(from: 44, to: 52, by: 2).map { number($0, 2) } == [0, 32_767, 65_536 - 32_767, 16_384])
    }

    @Test func `what is louder than full scale is clipped, and what is no number is silence`() {
        var bytes: [UInt8] = []
        for sample: Float in [2, -.infinity, .nan] { MonoWAV.append(sample, to: &bytes) }
        #expect(bytes == [0xFF, 0x7F, 0x01, 0x80, 0, 0])
    }
}
