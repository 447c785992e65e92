internal import ChirpAudio
internal import ChirpJournal
internal import Foundation
internal import Synchronization

extension LiveSession {
    /// Plays one clip and notes that it was heard.
    func play(_ turn: LiveTurn) async {
        do throws(LiveFailure) {
            let record = try await mapping { () async throws(JournalError) in
                try await ports.journal.update(play: turn.play) { row in
                    guard !turn.isReplay else { return }
                    row.state = .playing
                    row.inHand = .play
                }
            }
            let path = ports.cache.file(of: turn.play)
            guard record.file != nil, FileManager.default.fileExists(atPath: path) else {
                await leave(turn, record, because: "its file is gone")
                return
            }
            do throws(AudioError) {
                try await ports.play(
                    record, path, { [self] remote in began(remote, turn, record) }, { [self] in tell($0) })
            } catch {
                switch error {
                case .cancelled: if !turn.isReplay { await letGo(of: turn.play) }
                case .undecodable, .unsupported, .nothingToHear, .missing, .crashed, .programMissing:
                    await leave(turn, record, because: error.whatHappened)
                default:
                    if !turn.isReplay { await letGo(of: turn.play) }
                    messages.yield(.failed(.loudspeaker(reason: error.whatHappened)))
                }
                return
            }
            let now = ports.now()
            let heard = try await mapping { () async throws(JournalError) in
                try await ports.journal.update(play: turn.play) { row in
                    if !turn.isReplay {
                        row.state = .played
                        row.inHand = nil
                        row.deaths = 0
                    }
                    row.heard = now
                    row.plays += 1
                }
            }
            tell(.played(heard, isReplay: turn.isReplay))
            messages.yield(.input(.ended(turn)))
        } catch .journal(.unknownPlay) {
            // A replay of what is long forgotten.
            messages.yield(.input(.ended(turn)))
        } catch {
            messages.yield(.failed(error))
        }
    }

    private func began(_ remote: PlaybackRemote, _ turn: LiveTurn, _ record: PlayRecord) {
        playback.withLock { playback in
            playback.remote = remote
            if playback.isPaused { remote.pause() }
            if playback.isSkipped { remote.skip() }
        }
        tell(.playing(record, isReplay: turn.isReplay))
    }

    private func leave(_ turn: LiveTurn, _ record: PlayRecord, because reason: String) async {
        if turn.isReplay {
            tell(.skipped(record, because: reason))
        } else {
            await drop(turn.play, because: reason)
        }
        messages.yield(.input(.ended(turn)))
    }
}
