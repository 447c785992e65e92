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
        let answer: CheckedContinuation<CurlMailbox.Answer, Never>
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
            var active: Int32 = 0
            _ = chirp_multi_perform(multi.raw, &active)
            finishTransfers()
            // libcurl shortens the wait by its own timers; the minute only bounds the harm of a lost wake-up.
            if !isClosed { _ = chirp_multi_poll(multi.raw, mailbox.wake, 60_000) }
        }
        for id in Array(running.keys) { end(id, .failure(.cancelled)) }
    }

    private mutating func start(_ order: CurlMailbox.Order, isCancelled: Bool) {
        guard !isCancelled else {
            order.answer.resume(returning: .failure(.cancelled))
            return
        }
        do throws(HTTPError) {
            let transfer = try CurlTransfer(order.request, settings: settings)
            guard chirp_multi_add(multi.raw, transfer.handle.raw) == CURLM_OK else {
                throw .libraryMissing("it cannot begin a transfer")
            }
            running[order.id] = Running(transfer: transfer, answer: order.answer)
        } catch {
            order.answer.resume(returning: .failure(error))
        }
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
        ended.answer.resume(returning: result)
    }

    /// Answers everybody when libcurl itself is unusable, until the mailbox is closed.
    private static func refuseAll(_ mailbox: CurlMailbox, _ error: HTTPError) {
        while true {
            let post = mailbox.collect()
            for order in post.orders { order.answer.resume(returning: .failure(error)) }
            if post.isClosed { return }
            var descriptor = pollfd(fd: mailbox.wake, events: Int16(POLLIN), revents: 0)
            if mailbox.wake < 0 { usleep(10_000) } else { _ = poll(&descriptor, 1, -1) }
        }
    }
}
