import ChirpAudio
import Testing

@Suite struct HannWindowTests {
    @Test func `two windows that overlap by half add up to 1, and each is symmetric`() {
        for count in [2, 64, 1000] {
            let window = hannWindow(count: count)
            #expect(window.count == count)
            for index in 0..<count / 2 {
                #expect(abs(window[index] + window[index + count / 2] - 1) < 1e-12)
                #expect(abs(window[index] - window[count - 1 - index]) < 1e-12)
            }
        }
    }
}
