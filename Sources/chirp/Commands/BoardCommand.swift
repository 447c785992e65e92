import ArgumentParser

/// `chirp board`: what people list at a hub.
struct BoardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board",
        abstract: "Boards of the hub: Lost & Found.",
        discussion: """
            EXAMPLES:
              chirp board lost-and-found search 'grey cat' --near Bonn
              chirp board lost-and-found post --lost 'Grey cat' --voice take.wav --near Bonn
            """,
        subcommands: [ListingCommand.self])
}

/// `chirp board lost-and-found`: what was lost or found.
struct ListingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lost-and-found",
        abstract: "What was lost or found: look for it, list it, settle it.",
        discussion: """
            EXAMPLES:
              chirp board lost-and-found search headset --near 50.73,7.10 --within 5km
              chirp board lost-and-found post --found 'Bunch of keys' --category keys \\
                --text 'Three keys on a red ring.' --near Bonn
              chirp board lost-and-found post --lost 'Grey cat' --category pets \\
                --voice take.wav --near 50.73,7.10 --precision near
              chirp board lost-and-found settle LINK --as returned

            It works at the hub that you are signed in to (chirp login hub URL), otherwise with the one on this machine.
            """,
        subcommands: [
            ListingSearchCommand.self, ListingPostCommand.self, ListingSettleCommand.self, ListingRenewCommand.self,
            ListingWithdrawCommand.self,
        ])
}
