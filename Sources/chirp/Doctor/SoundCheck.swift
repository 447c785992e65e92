import ChirpAudio
import ChirpCommands
import ChirpCore
import ChirpDevices

/// Whether the sound server answers, and which microphone and loudspeaker it offers. None is a note: clips can be made and
/// published without; a device that was configured and is not there is a problem.
enum SoundCheck {
    static func findings(microphone: String?, loudspeaker: String?) async -> [Finding] {
        let list: DeviceList
        do throws(DeviceError) {
            var settings = DeviceSettings()
            settings.startsServer = false
            list = try await offPool { [settings] () throws(DeviceError) in try DeviceList.load(settings: settings) }
        } catch {
            return [.note("sound", error.whatHappened, cure: error.whatToDo)]
        }
        return [
            .ok("sound", list.server),
            finding("microphone", DeviceName(microphone), .input, among: list.devices),
            finding("loudspeaker", DeviceName(loudspeaker), .output, among: list.devices),
        ]
    }

    static func finding(
        _ check: String, _ name: DeviceName, _ direction: AudioDevice.Direction, among devices: [AudioDevice]
    ) -> Finding {
        let device: AudioDevice
        do throws(DeviceError) { device = try name.resolved(among: devices, direction: direction) } catch {
            return name == .standard
                ? .note(check, error.whatHappened, cure: error.whatToDo)
                : .problem(check, error.whatHappened, cure: error.whatToDo)
        }
        let words =
            "\(device.label) (\(device.name)), \(device.format.sampleRate) Hz, "
            + (device.format.channels == 1 ? "1 channel" : "\(device.format.channels) channels")
        if device.state == .suspended {
            let verb = direction == .input ? "suspend-source" : "suspend-sink"
            return .note(
                check, "\(words), is asleep: it wakes when it is used, unless it was put to sleep by hand",
                cure: "If it stays silent: pactl \(verb) \(PlainText(device.name, limit: 120)) 0")
        }
        if device.isMonitor, name == .standard {
            return .note(
                check, "\(words), hears what is played here: there is no real one",
                cure: "Plug in a microphone, or name one in record.device; see: chirp devices")
        }
        return .ok(check, words)
    }
}
