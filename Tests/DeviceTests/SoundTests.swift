import ChirpAudio
import ChirpCore
import ChirpDevices
import ChirpTestKit
import Synchronization
import Testing

/// Against a real daemon. The signal is a ramp whose value tells the frame's number exactly, so that every frame that went
/// through the server can be named.
// A daemon that is kept from the processor drops sound: one at a time.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SoundTests {
    private static let format = AudioFormat(sampleRate: 48_000, channels: 2)

    private static func settings(_ server: SoundServer, patience: Duration = .seconds(20)) -> DeviceSettings {
        var settings = DeviceSettings(server: server.address)
        settings.patience = patience
        settings.captureBuffer = .seconds(20)
        return settings
    }

    /// Frame number n, from 1, as a sample that survives Float exactly.
    private static func code(_ number: Int) -> Float { Float(number) / 8_388_608 }
    private static func number(_ sample: Float) -> Int { Int(sample * 8_388_608) }

    private static func fill(_ block: inout AudioBlock, from first: Int, frames: Int) {
        block.resize(toFrames: frames)
        for channel in 0..<2 {
            block.withMutablePlane(channel) { plane in
                for index in 0..<frames { plane[index] = code(first + index) }
            }
        }
    }

    /// The frame numbers that a microphone hears, silence left out, until the last one comes or enough time has passed.
    private static func listen(
        _ reader: inout MicrophoneReader, until last: Int, atMost limit: Duration
    ) throws(AudioError) -> [Int] {
        var block = AudioBlock(format: reader.format, capacity: 960)
        var heard: [Int] = []
        var frames = 0
        while heard.last != last, frames < reader.format.frames(in: limit), try reader.read(into: &block) {
            frames += block.frames
            block.withPlane(0) { plane in
                for index in 0..<plane.count where plane[index] != 0 { heard.append(number(plane[index])) }
            }
        }
        return heard
    }

    @Test func `the list names sink and monitor`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        let list = try await offPool { () throws(DeviceError) in try DeviceList.load(settings: settings) }
        #expect(list.server.hasPrefix("pulseaudio"))
        let output = try #require(list.devices.first { $0.direction == .output })
        #expect(output.name == "out" && output.isDefault && output.format == Self.format)
        let input = try #require(list.devices.first { $0.direction == .input })
        #expect(input.name == "out.monitor" && input.isMonitor)
    }

    @Test func `without a server the error names the cure`() async throws {
        let settings = DeviceSettings(server: "unix:/nonexistent/native")
        let error = await #expect(throws: DeviceError.self) {
            try await offPool { () throws(DeviceError) in _ = try MicrophoneReader(settings: settings) }
        }
        let isNoServer = if case .noServer = error { true } else { false }
        #expect(isNoServer)
        #expect(error?.cure == .startSoundServer)
    }

    @Test func `an unknown device is refused and the known ones are named`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        await #expect(throws: DeviceError.noDevice(name: "tin can", direction: .input, known: ["out.monitor"])) {
            try await offPool { () throws(DeviceError) in
                _ = try MicrophoneReader(device: .named("tin can"), settings: settings)
            }
        }
    }

    /// W-1, W-6: what is played is what is captured, to the frame.
    @Test func `every frame played is captured once and in order`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        let heard = try await offPool {
            var reader = try MicrophoneReader(device: .named("out.monitor"), format: Self.format, settings: settings)
            var writer = try SpeakerWriter(format: Self.format, settings: settings)
            var block = AudioBlock(format: Self.format, capacity: 4800)
            for piece in 0..<10 {
                Self.fill(&block, from: 1 + piece * 4800, frames: 4800)
                try writer.write(block)
            }
            let control = writer.control
            try writer.finish()
            #expect(control.statistics.underRuns == 0)
            #expect(control.statistics.writtenFrames == 48_000)
            #expect(control.statistics.firstWrite != nil)
            return try Self.listen(&reader, until: 48_000, atMost: .seconds(5))
        }
        #expect(heard == Array(1...48_000))
    }

    @Test func `a clip shorter than the buffer is heard too`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        let heard = try await offPool {
            var reader = try MicrophoneReader(device: .named("out.monitor"), format: Self.format, settings: settings)
            var writer = try SpeakerWriter(format: Self.format, settings: settings)
            var block = AudioBlock(format: Self.format, capacity: 480)
            Self.fill(&block, from: 1, frames: 480)
            try writer.write(block)
            try writer.finish()
            return try Self.listen(&reader, until: 480, atMost: .seconds(3))
        }
        #expect(heard == Array(1...480))
    }

    @Test func `the default input on a machine without a microphone is the monitor, and it says so`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        let events = EventLog()
        try await offPool {
            var reader = try MicrophoneReader(settings: settings) { events.add($0) }
            var block = AudioBlock(format: reader.format, capacity: 480)
            #expect(try reader.read(into: &block))
            #expect(reader.format == Self.format && block.frames == 480)
        }
        #expect(events.all == [.usingMonitor(device: "out.monitor")])
    }

    @Test func `stop ends the capture in order and keeps what came`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        try await offPool {
            var reader = try MicrophoneReader(device: .named("out.monitor"), settings: settings)
            var block = AudioBlock(format: reader.format, capacity: 4800)
            #expect(try reader.read(into: &block))
            #expect(block.frames == 4800)
            reader.control.stop()
            var rest = 0
            while try reader.read(into: &block) { rest += block.frames }
            #expect(rest < 48_000)
            #expect(try !reader.read(into: &block))
        }
    }

    @Test func `cancelling wakes a reader that waits for a sleeping microphone`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server, patience: .seconds(600))
        let started = AsyncStream.makeStream(of: CaptureControl.self)
        async let outcome: AudioError? = offPool { () -> AudioError? in
            defer { started.continuation.finish() }
            do {
                var reader = try MicrophoneReader(device: .named("out.monitor"), settings: settings) { event in
                    if case .suspended = event { started.continuation.finish() }
                }
                started.continuation.yield(reader.control)
                try server.control("suspend-sink", "out", "1")
                var block = AudioBlock(format: reader.format, capacity: 4800)
                while try reader.read(into: &block) {}
                return nil
            } catch let error as AudioError { return error } catch { return nil }
        }
        var control: CaptureControl?
        for await found in started.stream { control = found }
        control?.cancel()
        #expect(await outcome == .cancelled)
    }

    @Test func `a microphone that is put to sleep is waited for`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        let events = EventLog()
        try await offPool {
            var reader = try MicrophoneReader(device: .named("out.monitor"), settings: settings) { event in
                events.add(event)
                if case .suspended = event { _ = try? server.control("suspend-sink", "out", "0") }
            }
            var block = AudioBlock(format: reader.format, capacity: 4800)
            #expect(try reader.read(into: &block))
            try server.control("suspend-sink", "out", "1")
            for _ in 0..<20 where !events.all.contains(.resumed(device: "out.monitor")) {
                #expect(try reader.read(into: &block))
            }
        }
        // A busy machine may lose frames meanwhile, which is told too and is no concern of this.
        let changes = events.all.filter { if case .overrun = $0 { false } else { true } }
        #expect(changes == [.suspended(device: "out.monitor"), .resumed(device: "out.monitor")])
    }

    @Test func `a microphone that sleeps for good is an error after the patience`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server, patience: .milliseconds(200))
        let error = await #expect(throws: AudioError.self) {
            try await offPool {
                var reader = try MicrophoneReader(device: .named("out.monitor"), settings: settings)
                try server.control("suspend-sink", "out", "1")
                var block = AudioBlock(format: reader.format, capacity: 4800)
                while try reader.read(into: &block) {}
            }
        }
        #expect(error?.whatHappened.contains("suspended") == true)
    }

    @Test func `the capture goes on when the microphone is plugged in again`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        let events = EventLog()
        try await offPool {
            var reader = try MicrophoneReader(device: .named("out.monitor"), settings: settings) { event in
                events.add(event)
                if case .lost = event { try? server.plug() }
            }
            var block = AudioBlock(format: reader.format, capacity: 4800)
            #expect(try reader.read(into: &block))
            try server.unplug()
            for _ in 0..<100 where !events.isBack { #expect(try reader.read(into: &block)) }
            #expect(try reader.read(into: &block))
        }
        #expect(events.isBack)
    }

    @Test func `pausing keeps the place`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        let heard = try await offPool {
            var reader = try MicrophoneReader(device: .named("out.monitor"), format: Self.format, settings: settings)
            var writer = try SpeakerWriter(format: Self.format, settings: settings)
            var block = AudioBlock(format: Self.format, capacity: 4800)
            for piece in 0..<10 {
                Self.fill(&block, from: 1 + piece * 4800, frames: 4800)
                try writer.write(block)
                if piece == 4 {
                    writer.control.pause()
                    #expect(writer.control.isPaused)
                    // The monitor is the clock: half a second passes in silence.
                    var silence = AudioBlock(format: Self.format, capacity: 24_000)
                    #expect(try reader.read(into: &silence))
                    writer.control.resume()
                }
            }
            let control = writer.control
            try writer.finish()
            #expect(control.statistics.heardFrames == 48_000)
            return try Self.listen(&reader, until: 48_000, atMost: .seconds(5))
        }
        // What was read while paused is not in here; the rest is whole and ordered.
        #expect(heard.last == 48_000)
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }

    @Test func `skipping falls silent and the writer goes on without waiting`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        try await offPool {
            var reader = try MicrophoneReader(device: .named("out.monitor"), format: Self.format, settings: settings)
            var writer = try SpeakerWriter(format: Self.format, settings: settings)
            var block = AudioBlock(format: Self.format, capacity: 4800)
            Self.fill(&block, from: 1, frames: 4800)
            try writer.write(block)
            writer.control.skip()
            let begin = ContinuousClock.now
            // A minute of sound, taken at once.
            for _ in 0..<600 { try writer.write(block) }
            #expect(writer.control.isSkipped)
            try writer.finish()
            #expect(ContinuousClock.now - begin < .seconds(10))
            let heard = try Self.listen(&reader, until: 4800, atMost: .seconds(1))
            #expect(heard.count < 4800)
        }
    }

    @Test func `a writer that is late causes an under-run, which is counted`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        let events = EventLog()
        try await offPool {
            var reader = try MicrophoneReader(device: .named("out.monitor"), format: Self.format, settings: settings)
            var writer = try SpeakerWriter(format: Self.format, settings: settings) { events.add($0) }
            var block = AudioBlock(format: Self.format, capacity: 9600)
            Self.fill(&block, from: 1, frames: 9600)
            try writer.write(block)
            var second = AudioBlock(format: Self.format, capacity: 48_000)
            #expect(try reader.read(into: &second))
            Self.fill(&block, from: 9601, frames: 9600)
            try writer.write(block)
            #expect(writer.control.statistics.underRuns == 1)
            try writer.finish()
        }
        #expect(events.all == [.underRun])
    }

    /// A daemon killed in the middle of a clip: playing goes on where the listener was.
    @Test func `a killed daemon costs no position`() async throws {
        let server = try SoundServer()
        let settings = Self.settings(server)
        let events = EventLog()
        let total = 96_000
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        async let recording = offPool {
            defer { isReady.finish() }
            var reader = try MicrophoneReader(device: .named("out.monitor"), format: Self.format, settings: settings)
            isReady.finish()
            let before = try Self.listen(&reader, until: 24_000, atMost: .seconds(20))
            server.kill()
            return (before, try Self.listen(&reader, until: total, atMost: .seconds(20)))
        }
        for await _ in ready {}
        try await offPool {
            var writer = try SpeakerWriter(format: Self.format, settings: settings) { event in
                events.add(event)
                if case .lost = event { try? server.start() }
            }
            var block = AudioBlock(format: Self.format, capacity: 4800)
            for piece in 0..<total / 4800 {
                Self.fill(&block, from: 1 + piece * 4800, frames: 4800)
                try writer.write(block)
            }
            let control = writer.control
            try writer.finish()
            #expect(control.statistics.reconnections == 1)
            #expect(control.statistics.heardFrames == total)
        }
        let (before, after) = try await recording
        #expect(events.isBack)
        #expect(before.last == 24_000 && after.last == total)
        // The recorder comes back about when the player does: it may miss the first words, and it may hear some again.
        let heardAgain = after.first ?? 0
        #expect(heardAgain > 24_000 - 4800 && heardAgain < 24_000 + 24_000)
        #expect(Self.jumps(in: after).count <= 1, "\(Self.jumps(in: after))")
    }

    /// Where a number does not follow the one before.
    private static func jumps(in numbers: [Int]) -> [(Int, Int)] {
        zip(numbers, numbers.dropFirst()).filter { $1 != $0 + 1 }
    }
}

/// Gathers events from whatever thread reports them.
private final class EventLog: Sendable {
    private let events = Mutex<[DeviceEvent]>([])
    func add(_ event: DeviceEvent) { events.withLock { $0.append(event) } }
    var all: [DeviceEvent] { events.withLock { $0 } }
    var isBack: Bool {
        all.contains { if case .back = $0 { true } else { false } }
    }
}
