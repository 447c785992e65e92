package import ArgumentParser

/// Where a clip and its post go; the same in every command that publishes.
package struct PublicationOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Extra words for the share text.", valueName: "words"))
    package var text: String?

    @Option(name: .long, help: "Where the bytes live: hub, folder, drive, webdav, s3.")
    var store: StoreName?

    @Option(name: .long, help: "Where the post lives: hub, x, mastodon, or none to post it yourself.")
    var network: NetworkName?

    @Option(
        name: .long, help: ArgumentHelp("How long the clip stays, such as 7d, or never.", valueName: "time"),
        transform: { text in Choice(try LengthOfTime?(configText: text)) })
    var expires: Choice<LengthOfTime>?

    /// Whether any of them was given.
    package var isGiven: Bool { text != nil || store != nil || network != nil || expires != nil }

    package init() {}

    /// Puts what was given on top of the settings.
    package func apply(to config: inout Config) {
        config.store.override(store, by: "--store")
        config.network.override(network, by: "--network")
        config.expires.override(expires, by: "--expires")
    }
}
