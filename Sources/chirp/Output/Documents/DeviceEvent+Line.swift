import ChirpCommands
import ChirpCore
import ChirpDevices

extension DeviceEvent {
    /// One line for people; nil for what they can do nothing about and only a log wants.
    var line: String? {
        switch self {
        case .usingMonitor(let device):
            "note: there is no microphone; recording what is played ('\(PlainText(device, limit: 100))')"
        case .lost(let device, let reason):
            "'\(PlainText(device, limit: 100))' is gone (\(PlainText(reason, limit: 100))); waiting for it"
        case .back(let device, let time):
            "'\(PlainText(device, limit: 100))' is back after \(Figures.number(time / .seconds(1), places: 1)) s"
        case .suspended(let device): "'\(PlainText(device, limit: 100))' is asleep; waiting for it"
        case .resumed(let device): "'\(PlainText(device, limit: 100))' is awake again"
        case .overrun(let frames): "note: \(frames) frames are missing: this machine was too busy"
        case .underRun: nil
        }
    }
}
