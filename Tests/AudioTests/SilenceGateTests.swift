import ChirpAudio
import ChirpTestKit
import Foundation
import Testing

struct SilenceGateTests {
    private static let format = AudioFormat(sampleRate: 16000, channels: 1)

    private func gate(_ signal: Signal) -> SilenceGate {
        var meter = LevelWindowMeter(format: signal.format, removingRumble: true)
        signal.forEachBlock { meter.add($0) }
        return SilenceGate(meter.finish())
    }

    @Test(arguments: [-60.0, -45, -32], [-3.0, -20, -40])
    func `speech between noise is found to the window`(noise: Double, level: Double) throws {
        let speech = Signal.speech(Self.format, seconds: 2, head: 1.5, tail: 1)
        let signal = (speech + .noise(Self.format, level: noise, seconds: 4.5)).amplified(by: level + 3)
        let gate = gate(signal)
        let voiced = try #require(gate.voiced)
        #expect(gate.isCertain)
        // Nothing lost but what the pre-roll of 100 ms saves, and less than 150 ms too much; 200 in noise that is 9 dB softer.
        #expect((130...154).contains(voiced.lowerBound))
        #expect((346...(noise > -40 ? 370 : 364)).contains(voiced.upperBound))
        let floor = try #require(gate.noiseFloor)
        #expect(abs(floor.value - (noise + level + 3)) < 2.5)
    }

    @Test(arguments: [UInt64](1...8)) func `at 6 dB no speech is lost and the noise goes`(seed: UInt64) throws {
        let speech = Signal.speech(Self.format, seconds: 2, head: 1.5, tail: 1, seed: seed)
        let heard = speech.planes[0].filter { abs($0) > 0.005 }
        let level = 10 * log10(Double(heard.reduce(0) { $0 + $1 * $1 } / Float(heard.count)))
        let gate = gate(speech + .noise(Self.format, level: level - 6, seconds: 4.5, seed: seed))
        let voiced = try #require(gate.voiced)
        #expect(gate.isCertain)
        // With 100 ms before and 150 after; at most half a second is left.
        #expect((110...160).contains(voiced.lowerBound) && (335...385).contains(voiced.upperBound), "\(voiced)")
    }

    @Test(arguments: [50.0, 60], [12.0, 25, 40])
    func `mains hum does not hide where speech begins and ends`(mains: Double, ratio: Double) throws {
        let hum = (1...10).reduce(Signal.silence(Self.format, seconds: 4.5)) {
            let level = -23 - ratio - 20 * log10(Double($1))
            return $0
                + .sine(Self.format, frequency: mains * Double($1), level: level, seconds: 4.5, phase: Double($1) * 57)
        }
        let gate = gate(.speech(Self.format, seconds: 2, head: 1.5, tail: 1) + hum)
        let voiced = try #require(gate.voiced)
        #expect(gate.isCertain)
        #expect((130...154).contains(voiced.lowerBound) && (346...365).contains(voiced.upperBound), "\(voiced)")
        // Alone it is steady.
        let alone = self.gate(hum)
        #expect(!alone.isCertain && alone.isSteady)
    }

    @Test(arguments: [0.5, -1, 0.001] as [Float], [true, false])
    func `an offset is silence`(offset: Float, rumble: Bool) {
        var meter = LevelWindowMeter(format: Self.format, removingRumble: rumble)
        let plane = [Float](repeating: offset, count: 16000)
        Signal(format: Self.format, planes: [plane]).forEachBlock { meter.add($0) }
        let windows = meter.finish()
        for index in 0..<windows.count { #expect(windows[index].loudness == 0 && windows[index].voiceCode == 0) }
        #expect(SilenceGate(windows).voiced == nil)
    }

    @Test func `digital silence around speech has no noise floor`() throws {
        let gate = gate(.speech(Self.format, seconds: 2, head: 1, tail: 1))
        #expect(gate.noiseFloor == nil)
        let voiced = try #require(gate.voiced)
        #expect((98...102).contains(voiced.lowerBound) && (298...303).contains(voiced.upperBound))
    }

    @Test func `digital silence has no voice`() {
        #expect(gate(.silence(Self.format, seconds: 1)).voiced == nil)
        #expect(SilenceGate(LevelWindows()).voiced == nil)
    }

    @Test func `when noise and sound cannot be told apart all is kept`() {
        for signal in [
            Signal.noise(Self.format, level: -30, seconds: 2),
            .sine(Self.format, frequency: 440, level: -20, seconds: 2),
            .noise(Self.format, level: -75, seconds: 0.15),
        ] {
            let gate = gate(signal)
            #expect(!gate.isCertain)
            #expect(gate.voiced == 0..<Int(signal.format.seconds(ofFrames: signal.frames) * 100))
        }
    }

    @Test func `what swells like music is kept although it is soft`() throws {
        var soft = Signal.noise(Self.format, level: -45, seconds: 2)
        for index in soft.planes[0].indices { soft.planes[0][index] *= Float(index) / 32000 }
        let signal = soft.followed(by: .speech(Self.format, seconds: 2)).followed(by: .silence(Self.format, seconds: 1))
        let voiced = try #require(gate(signal).voiced)
        #expect(voiced.lowerBound < 25 && (396...404).contains(voiced.upperBound))
    }

    @Test(arguments: [UInt64](1...12))
    func `rumbling noise is noise although every 10 ms differ`(seed: UInt64) throws {
        // A fan: what noise becomes under a low-pass of first order at 40 Hz.
        var fan = Signal.noise(Self.format, level: -20, seconds: 4.5, seed: seed)
        var last: Float = 0
        for index in fan.planes[0].indices {
            last += 0.0157 * (fan.planes[0][index] - last)
            fan.planes[0][index] = last
        }
        let signal = Signal.speech(Self.format, seconds: 2, head: 1.5, tail: 1) + fan.amplified(by: -6)
        let voiced = try #require(gate(signal).voiced)
        #expect((120...154).contains(voiced.lowerBound) && (346...380).contains(voiced.upperBound))
    }

    @Test func `music is trimmed only of what is far below it`() throws {
        let drone = Signal.sine(Self.format, frequency: 220, level: -34, seconds: 4)
        let beats = drone + Signal.speech(Self.format, seconds: 1, head: 1.5, tail: 1.5)
        var meter = LevelWindowMeter(format: Self.format, removingRumble: false)
        beats.forEachBlock { meter.add($0) }
        let gate = SilenceGate(meter.finish(), leastContrast: Decibels(35))
        #expect(gate.voiced == 0..<400 && !gate.isCertain)
    }

    @Test func `a click is not voice and hum does not hide it`() throws {
        var signal = Signal.speech(Self.format, seconds: 1.5, head: 2, tail: 0.5)
        signal = signal + .noise(Self.format, level: -60, seconds: 4)
        for index in 8000..<8100 { signal.planes[0][index] = 0.5 }
        // Mains hum at 50 Hz, louder than the noise.
        signal = signal + .sine(Self.format, frequency: 50, level: -50, seconds: 4)
        let voiced = try #require(gate(signal).voiced)
        #expect((185...204).contains(voiced.lowerBound))
    }
}
