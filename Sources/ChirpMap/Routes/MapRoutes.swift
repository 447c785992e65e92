internal import ChirpCore
package import ChirpPlaces
package import ChirpWeb
internal import Hummingbird

/// Drawings of the map, and the files of what moves it.
package struct MapRoutes: Sendable {
    /// Gives the greatest places of a part of the earth, at most so many.
    package typealias Labels = @Sendable (_ box: GeoBox, _ limit: Int) async -> [MapLabel]

    private let ground: MapGround
    private let labels: Labels

    /// - Parameter labels: names for the drawings; without it there are those of countries only.
    package init(ground: MapGround, labels: @escaping Labels = { _, _ in [] }) {
        self.ground = ground
        self.labels = labels
    }

    package var routes: [WebRoute] {
        [
            .get("/map/:zoom/:x/:file") { request, context in
                let file = context.parameters.get("file") ?? ""
                guard file.hasSuffix(".svg"), let zoom = Self.number(context.parameters.get("zoom")),
                    let x = Self.number(context.parameters.get("x")), let y = Self.number(String(file.dropLast(4))),
                    let frame = MapFrame(tile: x, y, zoom: zoom, side: Self.tileSide)
                else { throw HTTPError(.notFound) }
                return await Self.inLanguage(of: request) {
                    // Names of neighbouring tiles reach into this one.
                    let labels = await labels(frame.grown(by: LabelPlaces.reach).box, 60)
                    return Self.drawing(MapDocument.tile(ground.map, frame, labels: labels), to: request)
                }
            },
            .get("/map/view.svg") { request, _ in
                let value = { (name: String) in request.uri.queryParameters[name[...]].map(String.init) }
                let size = Self.size(value("size"))
                guard let window = MapWindow(reading: value, width: size.width, height: size.height) else {
                    throw HTTPError(.badRequest)
                }
                let pin = MapWindow(reading: { $0 == "at" ? value("pin") : nil })?.centre
                return await Self.inLanguage(of: request) {
                    let labels = await labels(window.box, 40)
                    return Self.drawing(
                        MapDocument.picture(ground.map, window.frame, labels: labels, pin: pin), to: request)
                }
            },
            .get("/map/leaflet.js") { request, _ in
                guard let file = ground.leaflet?.script else { throw HTTPError(.notFound) }
                return Self.file(file, "text/javascript; charset=utf-8", to: request)
            },
            .get("/map/leaflet.css") { request, _ in
                guard let file = ground.leaflet?.style else { throw HTTPError(.notFound) }
                return Self.file(file, "text/css; charset=utf-8", to: request)
            },
            .get("/map/images/:file") { request, context in
                guard let image = ground.leaflet?.images[context.parameters.get("file") ?? ""] else {
                    throw HTTPError(.notFound)
                }
                return Self.file(image, "image/png", to: request)
            },
        ]
    }

    /// Larger than usual, so that a map has fewer of them, and fewer names at their edges.
    static let tileSide = 512.0

    /// Digits only, and few of them.
    private static func number(_ text: String?) -> Int? {
        guard let text, (1...7).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return text.integer(in: 0...9_999_999)
    }

    /// As in `480x420`.
    private static func size(_ text: String?) -> (width: Int, height: Int) {
        let parts = (text ?? "").split(separator: "x").map { number(String($0)) }
        guard parts.count == 2, let width = parts[0], let height = parts[1] else { return MapWindow.usualSize }
        return (width, height)
    }

    /// Drawings are kept by browsers, so their language is in their address.
    private static func inLanguage(of request: Request, _ answer: () async -> Response) async -> Response {
        let named = request.uri.queryParameters["l"].flatMap { Language(rawValue: String($0)) }
        return await Language.$current.withValue(named ?? .english, operation: answer)
    }

    private static func drawing(_ text: String, to request: Request) -> Response {
        PackedBytes.answer(
            Array(text.utf8), to: request,
            [
                .contentType: "image/svg+xml", .cacheControl: lifetime(request),
                // A drawing that is opened as a page may colour itself and do nothing else.
                .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
            ])
    }

    private static func file(_ file: PackedBytes, _ type: String, to request: Request) -> Response {
        file.answer(to: request, [.contentType: type, .cacheControl: lifetime(request)])
    }

    /// What has its version in its address stays as it is.
    private static func lifetime(_ request: Request) -> String {
        request.uri.queryParameters["v"] == nil ? "public, max-age=3600" : "public, max-age=31536000, immutable"
    }
}
