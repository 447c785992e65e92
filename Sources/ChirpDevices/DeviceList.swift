internal import ChirpAudio
internal import CPulse

/// What the sound server offers at one moment.
public struct DeviceList: Hashable, Sendable {
    /// What the server calls itself, with its version.
    public let server: String
    public let devices: [AudioDevice]

    /// Asks the server. Blocks until it has answered (some milliseconds), so it belongs off the cooperative pool.
    public static func load(settings: DeviceSettings = DeviceSettings()) throws(DeviceError) -> DeviceList {
        let connection = try PulseConnection(settings: settings)
        defer { connection.close() }
        return try connection.locked { () throws(DeviceError) in
            _ = try connection.connect()
            return try load(over: connection)
        }
    }

    /// Asks over a ready connection. Lock held.
    static func load(over connection: PulseConnection) throws(DeviceError) -> DeviceList {
        let collector = DeviceCollector(connection: connection)
        let pointer = Unmanaged.passUnretained(collector).toOpaque()
        guard let context = connection.ready else { throw .noServer(address: nil, reason: connection.reason) }
        // One after the other: each operation is finished, or cancelled by its handle, before the collector goes.
        try run(pa_context_get_server_info(context, serverListed, pointer), connection)
        try run(pa_context_get_source_info_list(context, sourceListed, pointer), connection)
        try run(pa_context_get_sink_info_list(context, sinkListed, pointer), connection)
        return withExtendedLifetime(collector) {
            DeviceList(server: collector.server, devices: collector.devices)
        }
    }

    private static func run(_ raw: OpaquePointer?, _ connection: PulseConnection) throws(DeviceError) {
        guard let operation = PulseOperationHandle(raw) else {
            throw .noServer(address: nil, reason: connection.reason)
        }
        try connection.finish(operation)
    }
}

/// Where the answers of the server gather. Touched with the loop's lock held only.
private final class DeviceCollector {
    let connection: PulseConnection
    var server = ""
    var defaultSource = ""
    var defaultSink = ""
    var devices: [AudioDevice] = []

    init(connection: PulseConnection) { self.connection = connection }
}

private func serverListed(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_server_info>?, _ pointer: UnsafeMutableRawPointer?
) {
    guard let pointer else { return }
    let collector = Unmanaged<DeviceCollector>.fromOpaque(pointer).takeUnretainedValue()
    if let info = info?.pointee {
        collector.server = "\(text(info.server_name)) \(text(info.server_version))"
        collector.defaultSource = text(info.default_source_name)
        collector.defaultSink = text(info.default_sink_name)
    }
    collector.connection.signal()
}

private func sourceListed(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_source_info>?, _ last: Int32,
    _ pointer: UnsafeMutableRawPointer?
) {
    guard let pointer else { return }
    let collector = Unmanaged<DeviceCollector>.fromOpaque(pointer).takeUnretainedValue()
    if last == 0, let info = info?.pointee {
        let name = text(info.name)
        collector.devices.append(
            AudioDevice(
                name: name, label: text(info.description), direction: .input,
                isMonitor: info.monitor_of_sink != UInt32.max, isDefault: name == collector.defaultSource,
                state: state(info.state.rawValue), format: format(info.sample_spec)))
    }
    collector.connection.signal()
}

private func sinkListed(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ last: Int32,
    _ pointer: UnsafeMutableRawPointer?
) {
    guard let pointer else { return }
    let collector = Unmanaged<DeviceCollector>.fromOpaque(pointer).takeUnretainedValue()
    if last == 0, let info = info?.pointee {
        let name = text(info.name)
        collector.devices.append(
            AudioDevice(
                name: name, label: text(info.description), direction: .output, isDefault: name == collector.defaultSink,
                state: state(info.state.rawValue), format: format(info.sample_spec)))
    }
    collector.connection.signal()
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

/// Sources and sinks number their states alike: running 0, idle 1, suspended 2.
private func state(_ raw: Int32) -> AudioDevice.State {
    switch raw {
    case PA_SINK_RUNNING.rawValue: .running
    case PA_SINK_IDLE.rawValue: .idle
    case PA_SINK_SUSPENDED.rawValue: .suspended
    default: .unknown
    }
}

private func format(_ spec: pa_sample_spec) -> AudioFormat {
    AudioFormat(sampleRate: max(1, Int(spec.rate)), channels: max(1, Int(spec.channels)))
}
