internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpMP3
public import Foundation

/// Reads a file as all of Chirp's readers do, and checks that what comes out is what they promise.
public struct HostileReading {
    /// What a case came to.
    public enum Outcome: Hashable, Sendable {
        /// Read to its end.
        case read
        /// Refused with an error that the seam documents for files.
        case refused(String)
        /// Something that must not happen, in words.
        case fault(String)
    }

    private let path: String
    private let descriptor: Int32
    /// Enough for whole frames of every coding; what decodes to more is refused soon.
    private let limits = ReaderLimits(maximumLength: .seconds(20), maximumTagBytes: 1 << 20)

    /// - Parameters:
    ///   - path: of a file that is written anew for each case.
    ///   - stays: keeps it when the process dies over a case; otherwise it has no name soon.
    /// - Throws: when the file cannot be made.
    public init(path: String, stays: Bool = true) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        if !stays { unlink(path) }
        self.path = stays ? path : "/proc/self/fd/\(descriptor)"
    }

    public func close() { Glibc.close(descriptor) }

    /// Opening, all samples, tags, notes, a jump, the frames as MP3, the cover as a picture.
    public func outcome(of bytes: [UInt8]) -> Outcome {
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            return .fault("the case cannot be written")
        }
        if let fault = followFrames(bytes) { return .fault(fault) }
        var outcome = Outcome.read
        do throws(AudioError) {
            if let fault = try readAudio() { outcome = .fault(fault) }
        } catch {
            outcome = Self.judge(error)
        }
        guard bytes.starts(with: [0xFF, 0xD8]) || bytes.starts(with: [0x89, 0x50]) else { return outcome }
        let picture = Self.decode(bytes)
        if case .fault = outcome { return outcome }
        return picture
    }

    private func readAudio() throws(AudioError) -> String? {
        var file = try AudioFile(opening: path, name: "case", limits: limits)
        // The lengths that a header announces may be nonsense, but not negative and not so large that sums of them overflow.
        if let length = file.announcedLength, !(0...1 << 52).contains(length) { return "announced \(length) frames" }
        var block = AudioBlock(format: file.format, capacity: 1000)
        let promised = file.length
        var frames = 0
        while try file.read(into: &block) {
            frames += block.frames
            for channel in 0..<file.format.channels {
                let isSane = block.withPlane(channel) { plane in
                    // Eight channels of the largest sample, mixed, stay below this.
                    plane.indices.allSatisfy { abs(plane[$0]) <= 8 * 65_536 }
                }
                if !isSane { return "a sample beyond all limits" }
            }
        }
        if file.position != frames { return "position \(file.position) after \(frames) frames" }
        if let promised, promised < frames { return "\(promised) frames were certain, \(frames) came" }
        if try file.read(into: &block) { return "more after the end" }
        if file.notes.contains(where: \.text.isEmpty) { return "a note without words" }
        if let cover = file.sourceTags.cover, case .fault(let fault) = Self.decode(cover) { return fault }
        try file.seek(toFrame: frames / 2)
        while try file.read(into: &block) {}
        return nil
    }

    private func followFrames(_ bytes: [UInt8]) -> String? {
        var stream = MP3FrameStream()
        stream.push(bytes.span)
        stream.finish()
        _ = (stream.averageKbps, stream.decodedFrames)
        let sum = stream.infoFrameBytes + stream.audioBytes + stream.strayBytes + stream.tagBytes
        return sum == bytes.count ? nil : "\(sum) of \(bytes.count) bytes were accounted for"
    }

    private static func decode(_ picture: [UInt8]) -> Outcome {
        do throws(AudioError) {
            let cover = try CoverPicture(picture, name: "case")
            return cover.jpeg.count <= CoverPicture.mostBytes ? .read : .fault("a cover of \(cover.jpeg.count) bytes")
        } catch {
            return judge(error)
        }
    }

    private static func judge(_ error: AudioError) -> Outcome {
        guard !error.whatHappened.isEmpty, error.cure != .none else { return .fault("an error without words") }
        switch error {
        case .undecodable: return .refused("undecodable, exit code \(error.exitCode.rawValue)")
        case .unsupported: return .refused("unsupported, exit code \(error.exitCode.rawValue)")
        default: return .fault("\(error)")
        }
    }
}

extension HostileGenerator {
    /// With the files of a folder as seeds, sorted by name.
    public init(folders: [URL]) throws {
        var seeds: [(name: String, bytes: [UInt8])] = []
        for folder in folders {
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            for file in files.sorted(by: { $0.path < $1.path }) {
                let bytes = try [UInt8](Data(contentsOf: file))
                if bytes.count > 16 { seeds.append((file.lastPathComponent, bytes)) }
            }
        }
        self.init(seeds: seeds)
    }
}
