/// Which device the user means: the default one, or one by name.
public enum DeviceName: Hashable, Sendable {
    /// Whatever the server's default is at the time, also after it changes.
    case standard
    /// A name, or a part of a name or label that fits only one device.
    case named(String)

    /// - Parameter text: as the user wrote it; nil, empty and `default` mean the default device.
    public init(_ text: String?) {
        switch text {
        case nil, "", "default": self = .standard
        case let text?: self = .named(text)
        }
    }

    /// The device meant: an exact name first, then a part of a name or label in any case that fits only one.
    ///
    /// Monitors are found by exact name and by part, but a part that fits one real device and a monitor means the real one.
    /// - Throws: ``DeviceError/noDevice(name:direction:known:)`` or ``DeviceError/ambiguous(name:matches:)``.
    public func resolved(
        among devices: [AudioDevice], direction: AudioDevice.Direction
    ) throws(DeviceError) -> AudioDevice {
        let candidates = devices.filter { $0.direction == direction }
        let known = candidates.map(\.name)
        switch self {
        case .standard:
            guard let device = candidates.first(where: \.isDefault) ?? candidates.first(where: { !$0.isMonitor })
            else { throw .noDevice(name: nil, direction: direction, known: known) }
            return device
        case .named(let text):
            if let exact = candidates.first(where: { $0.name == text }) { return exact }
            let wanted = text.lowercased()
            let fitting = candidates.filter {
                $0.name.lowercased().contains(wanted) || $0.label.lowercased().contains(wanted)
            }
            let real = fitting.filter { !$0.isMonitor }
            let matches = real.isEmpty ? fitting : real
            guard let first = matches.first else {
                throw .noDevice(name: text, direction: direction, known: known)
            }
            guard matches.count == 1 else { throw .ambiguous(name: text, matches: matches.map(\.name)) }
            return first
        }
    }
}
