package import ChirpPlaces
package import ChirpWeb

/// What others will see of a place, by how exact its author lets it be (LF-19): a drawing beside each choice.
package enum PrecisionPicture {
    /// One of them, 160 by 100 units.
    package static func html(_ precision: PositionPrecision) -> HTML {
        """
        <svg class="map-example" viewBox="0 0 160 100" role="img" aria-label="\(name(precision))">\
        <rect class="map-land" width="160" height="100"/>\(ground(precision))\(mark(precision))</svg>
        """
    }

    private static func name(_ precision: PositionPrecision) -> String {
        switch precision {
        case .exact: word("map.example.exact")
        case .near: word("map.example.near")
        case .town: word("map.example.town")
        }
    }

    /// Streets; from further away for the town.
    private static func ground(_ precision: PositionPrecision) -> HTML {
        switch precision {
        case .exact, .near:
            """
            <path class="map-street map-main" d="M-5 78C40 70 70 74 165 52"/>\
            <path class="map-street" d="M28-5l10 110M74-5l6 110M122-5l-4 110M-5 24l170-8M-5 50l84-6 86-16"/>
            """
        case .town:
            """
            <path class="map-built" d="M52 30c14-14 44-18 62-6s20 34 8 46-46 16-64 6-18-36-6-46z"/>\
            <path class="map-street map-main" d="M-5 66c40 2 60-14 84-16s50-20 86-22M70 105c4-30 14-40 12-55s8-40 14-55"/>
            """
        }
    }

    private static func mark(_ precision: PositionPrecision) -> HTML {
        switch precision {
        case .exact: "<circle class=\"map-pin\" cx=\"79\" cy=\"46\" r=\"8\"/>"
        case .near:
            """
            <circle class="map-around" cx="88" cy="54" r="36"/><path class="map-scale" d="M88 54h36"/>\
            <text class="map-length" x="106" y="49" text-anchor="middle">300 m</text>
            """
        case .town:
            """
            <circle class="map-around" cx="85" cy="50" r="42"/>\
            <text class="map-town" x="85" y="55">\(word("map.example.name"))</text>
            """
        }
    }
}
