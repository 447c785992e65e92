public import ChirpAudio
public import ChirpDevices

/// Plays a sound file on a loudspeaker, from the beginning to the last sample heard (W-6). Blocking: a job off the pool.
///
/// - Parameters:
///   - file: where its sound comes from.
///   - gain: applied to every sample; see ``ClipFacts/gain(to:)``.
///   - started: told once the loudspeaker is open: what pauses and skips it, and the format of the file.
///   - report: hears what happens to the device, on this thread.
/// - Returns: how it went; a skipped clip is no failure.
/// - Throws: why the file cannot be decoded or the device used.
@discardableResult
public func playClip<Source: AudioReader & ~Copyable>(
    _ file: consuming Source, gain: Decibels = .zero, device: DeviceName = .standard,
    titles: PlaybackTitles = PlaybackTitles(), settings: DeviceSettings = DeviceSettings(),
    started: (PlaybackControl, AudioFormat) -> Void = { _, _ in },
    report: @escaping @Sendable (DeviceEvent) -> Void = { _ in }
) throws -> PlaybackStatistics {
    var writer = try SpeakerWriter(
        format: file.format, device: device, titles: titles, settings: settings, report: report)
    let control = writer.control
    started(control, file.format)
    // 20 ms pieces, so that a skip is heard at once.
    var block = AudioBlock(format: file.format, capacity: max(1, file.format.frames(in: .milliseconds(20))))
    let factor = Float(gain.amplitude)
    while !control.isSkipped, try file.read(into: &block) {
        if factor != 1 {
            for channel in 0..<file.format.channels {
                block.withMutablePlane(channel) { scale(&$0, by: factor) }
            }
        }
        try writer.write(block)
    }
    try writer.finish()
    return control.statistics
}
