package import FoundationEssentials
package import Hummingbird
package import NIOCore
internal import Synchronization

/// Pages that visitors were shown, for as long as nothing in the library has changed.
///
/// Safe for many requests at once. What is asked for often stays; what is not goes when there is no more room for it.
package final class KeptPages: Sendable {
    package struct Page: Sendable {
        let headers: HTTPFields
        let body: ByteBuffer
        let made: Date

        package init(headers: HTTPFields, body: ByteBuffer, made: Date) {
            (self.headers, self.body, self.made) = (headers, body, made)
        }
    }

    private struct State {
        /// Of the library, when all of these were made.
        var version = 0
        var (recent, former) = ([String: Page](), [String: Page]())
        /// Of the recent ones.
        var bytes = 0
    }

    private let room: Int
    /// In seconds.
    private let patience: Double
    private let state = Mutex(State())

    /// - Parameters:
    ///   - room: bytes of all bodies together.
    ///   - patience: seconds for which a page is shown. What changes by time alone, such as what is over, is seen so much later.
    package init(room: Int = 16 << 20, patience: Double = 5) { (self.room, self.patience) = (room, patience) }

    /// A page that was made from what the library holds now; nil: it has to be made.
    package func page(_ key: String, version: Int, at now: Date) -> Page? {
        state.withLock { state in
            guard state.version == version, let page = state.recent[key] ?? state.former[key],
                (0...patience).contains(now.timeIntervalSince(page.made))
            else { return nil }
            if state.recent[key] == nil { add(page, key, &state) }
            return page
        }
    }

    /// - Parameter version: of the library, asked for before the page was made.
    package func keep(_ page: Page, _ key: String, version: Int) {
        state.withLock { state in
            if state.version != version {
                // A page that took long to make is older than what others were made from; it is no loss.
                state = State()
                state.version = version
            }
            add(page, key, &state)
        }
    }

    /// Half of the room is for recent ones; when it is full these become the former ones, and the former ones go.
    private func add(_ page: Page, _ key: String, _ state: inout State) {
        let bytes = page.body.readableBytes
        guard bytes <= room / 16 else { return }
        if state.bytes + bytes > room / 2 { (state.recent, state.former, state.bytes) = ([:], state.recent, 0) }
        let replaced = state.recent.updateValue(page, forKey: key)?.body.readableBytes ?? 0
        state.bytes += bytes - replaced
    }
}
