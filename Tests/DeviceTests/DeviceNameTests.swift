import ChirpAudio
import ChirpCore
import ChirpDevices
import Testing

@Suite struct DeviceNameTests {
    private static let format = AudioFormat(sampleRate: 48_000, channels: 2)
    private static let devices = [
        AudioDevice(name: "card.speaker", label: "Speaker", direction: .output, isDefault: true, format: format),
        AudioDevice(
            name: "card.speaker.monitor", label: "Monitor of Speaker", direction: .input, isMonitor: true,
            format: format),
        AudioDevice(name: "card.mic", label: "Inner Microphone", direction: .input, isDefault: true, format: format),
        AudioDevice(name: "usb.mic", label: "USB Headset", direction: .input, format: format),
    ]

    @Test(
        arguments: [
            (nil, "card.mic"), ("", "card.mic"), ("default", "card.mic"), ("usb.mic", "usb.mic"),
            ("headset", "usb.mic"),
            ("INNER", "card.mic"), ("card.speaker.monitor", "card.speaker.monitor"),
            ("monitor", "card.speaker.monitor"),
            ("card", "card.mic"),
        ] as [(String?, String)])
    func `a name or a part of it finds the device`(text: String?, name: String) throws {
        #expect(try DeviceName(text).resolved(among: Self.devices, direction: .input).name == name)
    }

    @Test func `a part that fits two microphones is refused and names both`() {
        #expect(throws: DeviceError.ambiguous(name: "mic", matches: ["card.mic", "usb.mic"])) {
            try DeviceName("mic").resolved(among: Self.devices, direction: .input)
        }
    }

    @Test func `an unknown name is refused and names what there is`() {
        #expect(
            throws: DeviceError.noDevice(
                name: "x", direction: .input, known: ["card.speaker.monitor", "card.mic", "usb.mic"])
        ) { try DeviceName("x").resolved(among: Self.devices, direction: .input) }
    }

    @Test func `a machine without devices says so`() {
        #expect(throws: DeviceError.noDevice(name: nil, direction: .output, known: [])) {
            try DeviceName(nil).resolved(among: [], direction: .output)
        }
    }

    @Test(arguments: [
        DeviceError.noServer(address: nil, reason: "Connection refused"),
        .noDevice(name: "x\u{1B}[2J", direction: .input, known: ["a"]),
        .noDevice(name: nil, direction: .output, known: []), .ambiguous(name: "x", matches: ["a", "b"]),
        .lost(device: "x", reason: "y"), .suspended(device: "x"), .refused(device: "x", reason: "y"),
        .library(call: "pa_x", code: 3),
    ])
    func `every device error says what happened and what to do, in one safe line each`(error: DeviceError) {
        for line in [error.whatHappened, error.cure.description] {
            #expect(!line.isEmpty)
            #expect(!line.unicodeScalars.contains { $0.value < 32 })
        }
        #expect(error.exitCode != .done)
    }
}
