internal import ChirpCore
internal import ChirpJournal
internal import ChirpNetworks
internal import Foundation
internal import Synchronization

extension LiveSession {
    /// Looks for posts on one network until the task is cancelled.
    ///
    /// - Parameters:
    ///   - goesOn: whether what came since the feed was read last counts, however old it is.
    ///   - since: otherwise only posts from then on count; for those that were there before the first look only, since a
    ///     network's clock may be wrong.
    func watch(_ source: LiveSource, goesOn: Bool, since: Date) async {
        let network = source.name
        var cursor: Cursor?
        do throws(JournalError) { cursor = try await ports.journal.cursor(of: network).map { Cursor($0) } } catch {
            messages.yield(.failed(.journal(error)))
            return
        }
        var earliest: Date? = goesOn && cursor != nil ? nil : since
        var failures = 0
        var signals = source.signals().makeAsyncIterator()
        while !Task.isCancelled {
            let accounts = chosen.withLock { $0 }.filter { $0.network == network }.map(\.account.id)
            guard !accounts.isEmpty else {
                if await signals.next() == nil { return }
                continue
            }
            let found: (posts: [Post], next: Cursor?)
            do throws(NetworkError) {
                found = try await source.network.posts(by: accounts, after: cursor)
            } catch {
                if error == .cancelled { return }
                failures += 1
                var asked: Duration?
                if case .busy(let wish?) = error { asked = min(wish, rules.longestCut) }
                let delay =
                    ports.backOff.delay(afterAttempt: failures, asked: asked, jitter: ports.jitter())
                    ?? ports.backOff.cap
                if failures == 1 { tell(.unreachable(network: network, error, again: delay)) }
                await ports.sleep(delay)
                continue
            }
            if failures > 0 { tell(.reachable(network: network)) }
            failures = 0
            let plays = clips(in: found.posts, by: Set(accounts), since: earliest)
            do throws(JournalError) {
                let moved = found.next == cursor ? nil : found.next
                if !plays.isEmpty || moved != nil {
                    let ids = try await ports.journal.detect(plays, on: network, cursor: moved?.text, now: ports.now())
                    for id in ids {
                        tell(.detected(try await ports.journal.play(id)))
                        messages.yield(.input(.arrived(id)))
                    }
                }
            } catch {
                messages.yield(.failed(.journal(error)))
                return
            }
            let isMore = found.posts.count >= source.batch && found.next != cursor
            cursor = found.next ?? cursor
            guard !isMore else { continue }
            earliest = nil
            if await signals.next() == nil { return }
        }
    }

    private func clips(in posts: [Post], by accounts: Set<Account.ID>, since: Date?) -> [DetectedPlay] {
        posts.flatMap { post -> [DetectedPlay] in
            if let since, post.created < since { return [] }
            guard case .clips(let addresses) = ports.links.verdict(on: post, chosen: accounts) else { return [] }
            return addresses.enumerated().map { part, address in
                DetectedPlay(
                    postID: post.id.text, part: part, address: JSONText.encode(address),
                    authorID: post.author.id.text, handle: PlainText(post.author.handle, limit: 100).value,
                    authorName: PlainText(post.author.displayName, limit: 100).value,
                    words: PlainText(post.text, limit: 1000).value, posted: post.created)
            }
        }
    }
}
