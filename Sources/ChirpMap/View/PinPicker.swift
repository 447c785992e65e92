package import ChirpPlaces
package import ChirpWeb

/// The part of a form in which a place is chosen on a map.
///
/// Without script the map is a picture that sends the form with where it was pressed (`<input type="image">`), and its other buttons send
/// it too: the page answers such a form with itself, everything typed still in it, until another button was pressed. With script the
/// map moves, and the pin by pressing, dragging and arrow keys.
///
/// Enter in a text field presses the first button of a form, so a form should begin with its own.
package struct PinPicker: Sendable {
    /// What the map shows; of its size only middle and zoom are used.
    package let window: MapWindow
    /// What was chosen.
    package let point: GeoPoint?

    /// The two sizes in which the map stands in the form; the style shows one of them. They are the sizes on the screen too, or what was
    /// pressed would lie elsewhere.
    package enum Size: CaseIterable {
        case small, wide

        package var field: String { self == .small ? "pin" : "pinwide" }
        package var width: Int { self == .small ? 240 : 448 }
        package var height: Int { self == .small ? 240 : 336 }
    }

    package init(window: MapWindow, point: GeoPoint?) {
        self.window = window
        self.point = point
    }

    /// What a form has sent, with the pressed picture or button already followed.
    ///
    /// - Parameters:
    ///   - value: of a field; empty where there is none.
    ///   - start: what is shown when the form says nothing.
    package init(reading value: (String) -> String, start: MapWindow) {
        var window =
            MapWindow { $0 == "at" ? value("pin-at") : $0 == "zoom" ? value("pin-zoom") : nil } ?? start
        var point = Self.place(value("pin-place"))
        if let size = Self.pressed(value) {
            point = Self.point(
                x: value("\(size.field).x").decimal(in: -1e9...1e9) ?? 0,
                y: value("\(size.field).y").decimal(in: -1e9...1e9) ?? 0,
                window: Self.sized(window, size))
        } else if let move = MapWindow.Move(rawValue: value("pin-move")) {
            let isNear = point.map { window.box.contains($0) } ?? false
            if move == .closer, isNear, let point { window = window.centred(on: point) }
            window = window.moved(move) ?? window
        } else if value("pin-move") == "remove" {
            point = nil
        }
        self.init(window: window, point: point)
    }

    /// Whether a form was sent to change the map only, and is to be shown again.
    package static func isChange(_ value: (String) -> String) -> Bool {
        pressed(value) != nil || !value("pin-move").isEmpty
    }

    private static func pressed(_ value: (String) -> String) -> Size? {
        Size.allCases.first { !value("\($0.field).x").isEmpty && !value("\($0.field).y").isEmpty }
    }

    private static func place(_ text: String) -> GeoPoint? {
        let parts = text.utf8.count <= 60 ? text.split(separator: ",") : []
        guard parts.count == 2, let latitude = parts[0].decimal(in: -360...360),
            let longitude = parts[1].decimal(in: -360...360)
        else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    private static func sized(_ window: MapWindow, _ size: Size) -> MapWindow {
        MapWindow(centre: window.centre, zoom: window.zoom, width: size.width, height: size.height)
    }

    /// The place under a point of the picture, counted from its upper left corner. Keys press it at 0, 0, and mean its middle.
    package static func point(x: Double, y: Double, window: MapWindow) -> GeoPoint {
        let (width, height) = (Double(window.width), Double(window.height))
        let isByKey = !x.isFinite || !y.isFinite || (x == 0 && y == 0)
        return isByKey
            ? window.centre : window.frame.place(x: x.clamped(to: 0...width), y: y.clamped(to: 0...height))
    }

    /// The part of the form.
    package func html(ground: MapGround) -> HTML {
        let place = point.map(MapWindow.text) ?? ""
        let images = Size.allCases.map { size -> HTML in
            let window = Self.sized(window, size)
            return """
                <input type="image" class="map-press map-\(size == .small ? "small" : "wide")" name="\(size.field)" \
                src="\(ground.picture(window, pin: point))" width="\(size.width)" height="\(size.height)" \
                alt="\(word("map.pin.press"))" formnovalidate>
                """
        }
        let buttons = MapWindow.Move.allCases.map { move -> HTML in
            """
            <button class="map-way" name="pin-move" value="\(move.rawValue)" formnovalidate>\
            <span class="visually-hidden">\(move.name)</span>\(move.sign)</button>
            """
        }
        let remove: HTML =
            point == nil
            ? .nothing
            : "<button name=\"pin-move\" value=\"remove\" formnovalidate>\(word("map.pin.remove"))</button>"
        return """
            <div class="map map-picker" data-pin\(ground.attributes)>
            <input type="hidden" name="pin-at" value="\(MapWindow.text(window.centre))">\
            <input type="hidden" name="pin-zoom" value="\(window.zoom)">\
            <input type="hidden" name="pin-place" value="\(place)">
            <p class="hint" data-plain>\(word("map.pin.hint"))</p>
            <div class="map-stage">\(HTML(joining: images))</div>
            <div class="map-ways" role="group" aria-label="\(word("map.moves"))">\(HTML(joining: buttons))</div>
            <p class="map-chosen">\(point == nil ? word("map.pin.none") : word("map.pin.chosen", ["place": place])) \(remove)</p>
            </div>
            """
    }
}
