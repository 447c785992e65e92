import ChirpAudio
import ChirpTestKit
import Testing

/// W-2: hum and nothing else is nothing to hear.
struct MainsHumTests {
    private func hum(_ frequency: Double, rate: Int, harmonics: Int = 10, seconds: Double = 1) -> Signal {
        let format = AudioFormat(sampleRate: rate, channels: 1)
        return (1...harmonics).reduce(Signal.silence(format, seconds: seconds)) {
            let level = -20 - 20 * log10(Double($1))
            return $0
                + .sine(
                    format, frequency: frequency * Double($1), level: level, seconds: seconds, phase: Double($1 * 40))
        }
    }

    private func log10(_ value: Double) -> Double { Decibels(amplitude: value).value / 20 }

    private func found(_ signal: Signal) -> Int? {
        MainsHum.frequency(of: signal.planes[0], sampleRate: signal.format.sampleRate)
    }

    @Test(arguments: [8000, 22050, 44100, 48000], [50, 49.87, 50.11, 60, 59.95, 60.2])
    func `mains of 50 and 60 Hz are known with their harmonics`(rate: Int, frequency: Double) {
        let mains = frequency < 55 ? 50 : 60
        #expect(found(hum(frequency, rate: rate)) == mains)
        #expect(found(hum(frequency, rate: rate, harmonics: 1, seconds: 0.6)) == mains)
        // Behind a rectifier.
        #expect(found(hum(2 * frequency, rate: rate, harmonics: 5)) == mains)
        let quiet = hum(frequency, rate: rate).amplified(by: -40)
        #expect(found(quiet + .noise(quiet.format, level: -90, seconds: 1)) == mains)
    }

    @Test(arguments: [8000, 48000]) func `what is not hum is not taken for it`(rate: Int) {
        let format = AudioFormat(sampleRate: rate, channels: 1)
        for frequency in [55.0, 82.4, 110, 200, 220, 440, 1000, 1200] {
            #expect(found(.sine(format, frequency: frequency, level: -20, seconds: 1)) == nil, "\(frequency)")
        }
        #expect(found(.noise(format, level: -30, seconds: 1)) == nil)
        #expect(found(.silence(format, seconds: 1)) == nil)
        #expect(found(.speech(format, seconds: 1)) == nil)
        // A voice or a hiss beside it.
        #expect(found(hum(50, rate: rate) + Signal.speech(format, seconds: 1).amplified(by: -10)) == nil)
        #expect(found(hum(60, rate: rate) + .noise(format, level: -32, seconds: 1)) == nil)
        #expect(found(hum(50, rate: rate, seconds: 0.3)) == nil)
    }
}
