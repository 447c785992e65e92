package import ChirpPlaces
internal import ChirpWeb

/// A drawing as a file of its own: tiles of the moving map, and the picture in a form. Its colours follow the visitor's choice of light or dark.
package enum MapDocument {
    /// A picture in a form, with lines as fine as its size can show: two of them are in a page, which has 150 kB in all.
    ///
    /// - Parameters:
    ///   - labels: names of places.
    ///   - pin: a place that is marked; a cross marks the middle then, or without one too.
    package static func picture(_ map: WorldMap, _ frame: MapFrame, labels: [MapLabel], pin: GeoPoint?) -> String {
        let middle: HTML = """
            <path class="map-cross" transform="translate(\(WorldMap.rounded(frame.width / 2)) \
            \(WorldMap.rounded(frame.height / 2)))" d="M-7 0H7M0-7V7"/>
            """
        let mark = pin.map { point -> HTML in
            let (x, y) = frame.position(of: point)
            return "<circle class=\"map-pin\" cx=\"\(WorldMap.rounded(x))\" cy=\"\(WorldMap.rounded(y))\" r=\"8\"/>"
        }
        let bytes = max(8000, Int(clamping: frame.width * frame.height / 10))
        return document(frame, "\(map.drawing(frame, labels: labels, bytes: bytes))\(middle)\(mark ?? .nothing)")
    }

    /// Without what stands once on a map.
    package static func tile(_ map: WorldMap, _ frame: MapFrame, labels: [MapLabel]) -> String {
        document(frame, map.drawing(frame, labels: labels, hasScale: false))
    }

    private static func document(_ frame: MapFrame, _ drawing: HTML) -> String {
        let (width, height) = (WorldMap.rounded(frame.width), WorldMap.rounded(frame.height))
        let page: HTML = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">\
            <style>\(HTML(stringLiteral: style))</style>\(drawing)</svg>
            """
        return page.text
    }

    /// The classes of `map.css` that a drawing uses. A test compares the colours.
    package static let style = """
        .map-water{fill:#dfe8ea}.map-land{fill:#f7f7f3}.map-lakes{fill:#dfe8ea;stroke:#9db1b3;stroke-width:1}\
        .map-coast{fill:none;stroke:#8ba1a3;stroke-width:2;stroke-linejoin:round}\
        .map-borders{fill:none;stroke:#b3beb8;stroke-width:2;stroke-linejoin:round}.map-grid{fill:none;stroke:#d3dad6}\
        text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;fill:#33403c;\
        stroke:#f7f7f3;stroke-width:3;stroke-linejoin:round;paint-order:stroke;text-anchor:middle}\
        .map-country{font-size:12px;letter-spacing:.04em}.map-town{font-size:11.5px}.map-dot{fill:#33403c}\
        .map-scale{fill:none;stroke:#33403c;stroke-width:1.5}.map-length{font-size:11px;text-anchor:start}\
        .map-cross{fill:none;stroke:#33403c}.map-pin{fill:#00574d;stroke:#fff;stroke-width:2.5}\
        @media(prefers-color-scheme:dark){.map-water{fill:#10191b}.map-land{fill:#1d2624}\
        .map-lakes{fill:#10191b;stroke:#41524f}.map-coast{stroke:#536863}.map-borders{stroke:#46544f}.map-grid{stroke:#2f3b38}\
        text{fill:#c3cfca;stroke:#1d2624}.map-dot{fill:#c3cfca}.map-scale,.map-cross{stroke:#c3cfca}\
        .map-pin{fill:#6fe3cc;stroke:#0d1312}}
        """
}
