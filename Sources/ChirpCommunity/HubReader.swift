package import FoundationEssentials
internal import GRDB

/// Who looks at a library.
package enum Viewer: Hashable, Sendable {
    /// Anybody who reaches the hub: sees the feed, and what is shared by its link.
    case visitor
    /// Whose library it is: sees also what is not shared yet.
    case owner
}

/// A library as one viewer sees it: the only way to what pages, feeds and streams show.
///
/// What the viewer may not see is left out by SQL, never after fetching: so a page is full when it says so, places in the feed
/// hold, and what is hidden cannot be told from what never was. Nothing is kept between two questions.
package struct HubReader: Sendable {
    let library: HubLibrary
    let viewer: Viewer

    /// The instant by the library's clock.
    package var now: Date { library.now() }

    /// A condition on `clips` for what this viewer sees of them, and its arguments.
    var visibleClips: (sql: String, arguments: StatementArguments) {
        let lasts = "(clips.expires IS NULL OR clips.expires > ?)"
        let arguments: StatementArguments = [HubLibrary.milliseconds(now)]
        return switch viewer {
        case .visitor: ("clips.shared = 1 AND \(lasts)", arguments)
        case .owner: (lasts, arguments)
        }
    }
}

extension HubLibrary {
    /// The library as somebody sees it.
    package func seen(by viewer: Viewer) -> HubReader { HubReader(library: self, viewer: viewer) }
}
