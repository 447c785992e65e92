internal import ChirpAudio
internal import ChirpCore
internal import ChirpFiles
public import ChirpJournal
internal import ChirpNetworks
internal import Foundation

/// Fetches one clip, decodes it to its end and puts it into the cache: what a listening session does by itself, and a person
/// may ask for again when a clip was set aside.
public struct ClipFetch: Sendable {
    public enum Outcome: Sendable {
        /// It is in the cache, and the journal knows.
        case fetched(PlayRecord)
        /// It is no clip, or cannot be had.
        case refused(String)
        case cancelled
    }

    private let ports: LivePorts
    private let rules: LiveRules

    public init(ports: LivePorts, rules: LiveRules) {
        self.ports = ports
        self.rules = rules
    }

    /// - Throws: what is wrong here, and not with the clip.
    public func run(_ record: PlayRecord) async throws(LiveFailure) -> Outcome {
        guard let address = JSONText.decode(ClipAddress.self, from: record.address) else {
            return .refused("its address cannot be read")
        }
        let (id, part, name) = (record.id, ports.cache.part(of: record.id), "the clip by @\(record.handle)")
        let download: ClipDownloader.Download
        do throws(NetworkError) {
            download = try await ports.fetch(address, part, rules.maximumBytes.bytes)
        } catch {
            return error == .cancelled ? .cancelled : .refused(error.whatHappened)
        }
        if let expected = download.sha256, await digest(of: part) != expected {
            return .refused("its checksum is wrong")
        }
        let facts: ClipFacts
        do throws(AudioError) {
            facts = try await ports.measure(part, name, rules.maximumLength)
        } catch {
            return error == .cancelled ? .cancelled : .refused(error.whatHappened)
        }
        try ports.cache.keep(id)
        let (file, now) = (ports.cache.name(of: id), ports.now())
        do throws(JournalError) {
            return .fetched(
                try await ports.journal.update(play: id) { row in
                    row.file = file
                    row.bytes = download.bytes
                    row.seconds = facts.seconds
                    row.gainDB = facts.gain.value
                    row.fetched = now
                    // Whatever a process has died of, it was not this.
                    row.inHand = nil
                    if row.state != .setAside { row.deaths = 0 }
                })
        } catch {
            throw .journal(error)
        }
    }

    private func digest(of path: String) async -> String? {
        await offPool { () -> String? in try? FileDigest.reading(path).sha256 }
    }
}
