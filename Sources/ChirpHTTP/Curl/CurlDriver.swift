internal import CCurl
import Glibc

/// The loop that moves all transfers of one ``CurlTransport`` on one thread of its own.
struct CurlDriver: ~Copyable {
    private let multi: CurlMultiHandle
    private let mailbox: CurlMailbox
    private let settings: CurlSettings
    private var running: [UInt64: Running] = [:]

    private struct Running {
        let transfer: CurlTransfer
        let recipient: CurlMailbox.Recipient
    }

    init(_ mailbox: CurlMailbox, settings: CurlSettings) throws(HTTPError) {
        guard mailbox.wake >= 0 else { throw .libraryMissing("the system has no file descriptors left") }
        let multi = try CurlMultiHandle()
        self.mailbox = mailbox
        self.settings = settings
        self.multi = multi
    }

    /// Runs until the mailbox is closed.
    static func run(_ mailbox: CurlMailbox, settings: CurlSettings) {
        do throws(HTTPError) {
            var driver = try CurlDriver(mailbox, settings: settings)
            driver.loop()
        } catch {
            Self.refuseAll(mailbox, error)
        }
    }

    private mutating func loop() {
        var isClosed = false
        while !isClosed {
            let post = mailbox.collect()
            isClosed = post.isClosed
            for order in post.orders { start(order, isCancelled: post.cancelled.contains(order.id)) }
            for id in post.cancelled where running[id] != nil { end(id, .failure(.cancelled)) }
            for id in post.resumed { running[id]?.transfer.resume() }
            var active: Int32 = 0
            _ = chirp_multi_perform(multi.raw, &active)
            finishTransfers()
            let patience = endSilent()
            // libcurl shortens the wait by its own timers; the minute only bounds the harm of a lost wake-up.
            if !isClosed { _ = chirp_multi_poll(multi.raw, mailbox.wake, Int32(clamping: patience)) }
        }
        for id in Array(running.keys) { end(id, .failure(.cancelled)) }
    }

    /// Ends streams that have been silent for too long.
    ///
    /// - Returns: the milliseconds until the next one may be, a minute at most.
    private mutating func endSilent() -> Int {
        var patience = Duration.seconds(60)
        for (id, running) in running {
            guard let left = running.transfer.patienceLeft else { continue }
            if left <= .zero {
                end(id, .failure(.interrupted(host: running.transfer.request.address.host, reason: "it fell silent")))
            } else {
                patience = min(patience, left)
            }
        }
        return CurlTransfer.milliseconds(patience) + 1
    }

    private mutating func start(_ order: CurlMailbox.Order, isCancelled: Bool) {
        guard !isCancelled else {
            finish(order, .failure(.cancelled))
            return
        }
        do throws(HTTPError) {
            let transfer = try CurlTransfer(order.request, for: order.recipient, settings: settings)
            guard chirp_multi_add(multi.raw, transfer.handle.raw) == CURLM_OK else {
                throw .libraryMissing("it cannot begin a transfer")
            }
            running[order.id] = Running(transfer: transfer, recipient: order.recipient)
        } catch {
            finish(order, .failure(error))
        }
    }

    private func finish(_ order: CurlMailbox.Order, _ answer: CurlMailbox.Answer) {
        order.recipient.end(answer)
        // Whoever waits for a whole answer forgets the id by itself.
        if case .pieces = order.recipient { mailbox.forget(order.id) }
    }

    private mutating func finishTransfers() {
        var code = CURLE_OK
        while let raw = chirp_multi_next_finished(multi.raw, &code) {
            // Some transfers at most, so a search costs nothing beside a system call.
            guard let (id, running) = running.first(where: { $0.value.transfer.handle.raw == raw }) else { continue }
            end(id, running.transfer.finish(code))
        }
    }

    private mutating func end(_ id: UInt64, _ result: CurlMailbox.Answer) {
        guard let ended = running.removeValue(forKey: id) else { return }
        _ = chirp_multi_remove(multi.raw, ended.transfer.handle.raw)
        settings.observe?(ended.transfer.event(result))
        ended.recipient.end(result)
        if case .pieces = ended.recipient { mailbox.forget(id) }
    }

    /// Answers everybody when libcurl itself is unusable, until the mailbox is closed.
    private static func refuseAll(_ mailbox: CurlMailbox, _ error: HTTPError) {
        while true {
            let post = mailbox.collect()
            for order in post.orders { order.recipient.end(.failure(error)) }
            if post.isClosed { return }
            var descriptor = pollfd(fd: mailbox.wake, events: Int16(POLLIN), revents: 0)
            if mailbox.wake < 0 { usleep(10_000) } else { _ = poll(&descriptor, 1, -1) }
        }
    }
}
