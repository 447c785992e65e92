import ChirpAudio
import ChirpCodecs
import Foundation

/// Everything that reading a file to its end gave.
struct ReaderTestResult {
    var format: AudioFormat
    var sourceFormat: String
    var sourceChannels: Int
    var lengthAtStart: Int?
    var planes: [[Float]]
    var notes: [AudioNote]

    var frames: Int { planes[0].count }
    var codes: [String] { notes.map(\.code) }

    /// - Parameters:
    ///   - start: a frame to go to first.
    ///   - capacity: of the block; odd sizes find border mistakes.
    init(_ path: String, limits: ReaderLimits = .default, from start: Int = 0, capacity: Int = 4096) throws {
        var file = try AudioFile(opening: path, name: URL(filePath: path).lastPathComponent, limits: limits)
        format = file.format
        sourceFormat = file.sourceFormat
        sourceChannels = file.sourceChannels
        lengthAtStart = file.length
        var planes = [[Float]](repeating: [], count: file.format.channels)
        var block = AudioBlock(format: file.format, capacity: capacity)
        if start > 0 { try file.seek(toFrame: start) }
        while try file.read(into: &block) {
            for channel in planes.indices {
                block.withPlane(channel) { plane in
                    for index in plane.indices { planes[channel].append(plane[index]) }
                }
            }
        }
        self.planes = planes
        notes = file.notes
    }

    /// Writes bytes to a file and reads it.
    init(_ bytes: [UInt8], in folder: URL, limits: ReaderLimits = .default) throws {
        let path = folder.appending(path: "\(UUID().uuidString).bin").path(percentEncoded: false)
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try self.init(path, limits: limits)
    }

    /// The largest difference from a signal, over the frames that both have.
    func largestDifference(from signal: [Float], channel: Int = 0, of channels: Int = 1) -> Float {
        var largest: Float = 0
        for frame in 0..<min(frames, signal.count / channels) {
            largest = max(largest, abs(planes[channel][frame] - signal[frame * channels + channel]))
        }
        return largest
    }
}
