internal import ChirpAudio
internal import ChirpCore
internal import ChirpJournal
internal import ChirpNetworks
internal import ChirpStores
internal import Foundation

extension LiveSession {
    /// Brings a clip into the cache, or says why not.
    func fetch(_ id: PlayID) async {
        do throws(LiveFailure) {
            let record = try await mapping { () async throws(JournalError) in try await ports.journal.play(id) }
            if record.file != nil, FileManager.default.fileExists(atPath: ports.cache.file(of: id)) {
                messages.yield(.input(.fetched(id)))
                return
            }
            try await tidyUp(coming: rules.maximumBytes.bytes * Int64(rules.queue.width))
            tell(.fetching(record))
            try await mapping { () async throws(JournalError) in try await ports.journal.mark(play: id, as: .fetch) }
            switch try await ClipFetch(ports: ports, rules: rules).run(record) {
            case .fetched(let fetched):
                tell(.fetched(fetched))
                messages.yield(.input(.fetched(id)))
            case .refused(let reason): await drop(id, because: reason)
            case .cancelled: await letGo(of: id)
            }
        } catch {
            await letGo(of: id)
            messages.yield(.failed(error))
        }
    }

    /// The process has the clip in hand no more, and lives.
    func letGo(of id: PlayID) async {
        do throws(JournalError) { try await ports.journal.mark(play: id, as: nil) } catch {
            messages.yield(.failed(.journal(error)))
        }
    }

    /// A clip will not be heard.
    func drop(_ id: PlayID, because reason: String) async {
        ports.cache.remove(id)
        do throws(JournalError) {
            let record = try await ports.journal.update(play: id) { row in
                row.state = .skipped
                row.reason = reason
                row.file = nil
                row.inHand = nil
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
    func tidyUp(coming: Int64 = 0, open: Set<PlayID>? = nil) async throws(LiveFailure) {
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
}
