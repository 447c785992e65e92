/// How often Mastodon is asked for one frame, as the table in Docs/hub.md tells it. Each look is two requests, of the 300 that are allowed
/// in five minutes.
package enum FramePolling {
    /// While nothing is pushed.
    package static let looking = Duration.seconds(15)
    /// While it pushes nothing is polled; this is for what a stream has kept to itself.
    package static let checking = Duration.seconds(3600)
}
