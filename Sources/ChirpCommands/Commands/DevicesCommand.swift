package import ArgumentParser
internal import ChirpAudio
internal import ChirpCore
internal import ChirpDevices

/// `chirp devices`: microphones and loudspeakers.
package struct DevicesCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Microphones and loudspeakers.",
        discussion: """
            EXAMPLES:
              chirp devices
              chirp devices --json | jq -r '.devices[].name'

            The default ones are marked with a star. Any part of a name that fits only one device is enough for --device.
            """)

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let server: String
        let devices: [Entry]
    }

    private struct Entry: Encodable {
        let name: String
        let label: String
        let direction: String
        let monitor: Bool
        let isDefault: Bool
        let state: String
        let sampleRate: Int
        let channels: Int

        private enum CodingKeys: String, CodingKey {
            case name, label, direction, monitor, state, sampleRate, channels
            case isDefault = "default"
        }

        init(_ device: AudioDevice) {
            name = PlainText(device.name, limit: 300).value
            label = PlainText(device.label, limit: 300).value
            direction = device.direction.rawValue
            monitor = device.isMonitor
            isDefault = device.isDefault
            state = device.state.rawValue
            sampleRate = device.format.sampleRate
            channels = device.format.channels
        }
    }

    package init() {}

    package func run() async throws {
        let session = try common.session()
        let list = try await offPool { () throws(DeviceError) in try DeviceList.load() }
        let entries = list.devices.map(Entry.init)
        try session.console.answer(Answer(server: PlainText(list.server, limit: 200).value, devices: entries))
        let width = entries.map(\.name.count).max() ?? 0
        for entry in entries {
            let kind = entry.direction == "input" ? (entry.monitor ? "monitor" : "microphone") : "loudspeaker"
            try session.console.say(
                "\(entry.isDefault ? "*" : " ") \(kind.padded(to: 11))  \(entry.name.padded(to: width))  \(entry.label)"
            )
        }
        if entries.isEmpty { session.console.note("The sound server knows no devices; plug one in.") }
        session.console.detail(list.server)
    }
}
