internal import ChirpAudio
internal import ChirpCore
internal import ChirpJournal
internal import ChirpNetworks
internal import ChirpStores
internal import Foundation

extension LiveSession {
    /// Brings a clip into the cache, or says why not.
    func fetch(_ id: Int64) async {
        do throws(LiveFailure) {
            let record = try await mapping { () async throws(JournalError) in try await ports.journal.play(id) }
            if record.file != nil, FileManager.default.fileExists(atPath: ports.cache.file(of: id)) {
                messages.yield(.input(.fetched(id)))
                return
            }
            guard let address = JSONText.decode(ClipAddress.self, from: record.address) else {
                await drop(id, because: "its address cannot be read")
                return
            }
            try await tidyUp(coming: rules.maximumBytes.bytes * Int64(rules.queue.width))
            tell(.fetching(record))
            let (part, name) = (ports.cache.part(of: id), "the clip by @\(record.handle)")
            let download: ClipDownloader.Download
            do throws(NetworkError) {
                download = try await ports.fetch(address, part, rules.maximumBytes.bytes)
            } catch {
                if error != .cancelled { await drop(id, because: error.whatHappened) }
                return
            }
            if let expected = download.sha256, await digest(of: part) != expected {
                await drop(id, because: "its checksum is wrong")
                return
            }
            let facts: ClipFacts
            do throws(AudioError) {
                facts = try await ports.measure(part, name, rules.maximumLength)
            } catch {
                if error != .cancelled { await drop(id, because: error.whatHappened) }
                return
            }
            try ports.cache.keep(id)
            let (file, now) = (ports.cache.name(of: id), ports.now())
            let fetched = try await mapping { () async throws(JournalError) in
                try await ports.journal.update(play: id) { row in
                    row.file = file
                    row.bytes = download.bytes
                    row.seconds = facts.seconds
                    row.gainDB = facts.gain.value
                    row.fetched = now
                }
            }
            tell(.fetched(fetched))
            messages.yield(.input(.fetched(id)))
        } catch {
            messages.yield(.failed(error))
        }
    }

    /// A clip will not be heard.
    func drop(_ id: Int64, because reason: String) async {
        ports.cache.remove(id)
        do throws(JournalError) {
            let record = try await ports.journal.update(play: id) { row in
                row.state = .skipped
                row.reason = reason
                row.file = nil
            }
            tell(.skipped(record, because: reason))
        } catch {
            messages.yield(.failed(.journal(error)))
        }
        messages.yield(.input(.dropped(id)))
    }

    /// Removes clips whose time is over, and the oldest ones when there is no room for what is coming.
    ///
    /// - Parameters:
    ///   - coming: bytes that must fit too.
    ///   - open: given at the beginning: all clips that are still to be heard. Files that nobody knows are removed then.
    func tidyUp(coming: Int64 = 0, open: Set<Int64>? = nil) async throws(LiveFailure) {
        let held = try await mapping { () async throws(JournalError) in try await ports.journal.heldPlays() }
        let now = ports.now()
        let expired = rules.retention.expired(
            of: held.map { clip in
                Retention.Held(
                    id: clip.id, bytes: clip.bytes, fetched: clip.fetched, isBusy: PlayState.open.contains(clip.state))
            }, now: now, coming: coming)
        if open != nil || !expired.isEmpty {
            // The journal first: a row that names no file is replaced or forgotten, a file without a row is a stray.
            try await mapping { () async throws(JournalError) in
                try await ports.journal.forget(files: expired, playsBefore: now - 31 * 86_400)
            }
        }
        expired.forEach(ports.cache.remove)
        if !expired.isEmpty { tell(.removed(expired.count)) }
        if let open { ports.cache.removeStrays(held: Set(held.map(\.id)).subtracting(expired), open: open) }
    }

    private func digest(of path: String) async -> String? {
        await offPool { () -> String? in try? FileDigest.reading(path).sha256 }
    }
}
