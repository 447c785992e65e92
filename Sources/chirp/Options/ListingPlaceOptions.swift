import ArgumentParser

/// Where a listing is, or is looked for.
struct ListingPlaceOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The name of a place, or 50.73,7.10.", valueName: "place"),
        transform: { try PlaceName($0) })
    var near: PlaceName?

    /// As the board names it.
    var fields: [String: String] {
        switch near {
        case .named(let name): ["place": name]
        case .point(let latitude, let longitude): ["at": "\(latitude),\(longitude)"]
        case nil: [:]
        }
    }
}
