internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What makes the hub an application that a browser can install and read without a network: the manifest, the service worker, the page
/// in place of one that is not kept, and the page about what is kept.
struct OfflineRoutes {
    let links: HubLinks

    var routes: [WebRoute] {
        [
            .get("/offline") { _, _ in .page(OfflinePage(links: links).html) },
            .get("/settings/offline", .signedIn) { _, _ in Response.page(KeptPage(links: links).html).uncached },
        ]
    }

    /// The files, which are the same for everybody.
    func add(to router: Router<WebContext>) {
        router.get("/manifest.webmanifest") { _, _ in
            try Response.json(Manifest(prefix: links.prefix), type: "application/manifest+json")
        }
        let worker = ByteBuffer(bytes: Asset.worker(prefix: links.prefix, fallback: "\(links.prefix)/offline"))
        router.get("/sw.js") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache"],
                body: ResponseBody(byteBuffer: worker))
        }
    }
}

/// What an installed application is called and looks like (W3C, Web Application Manifest).
private struct Manifest: Encodable {
    struct Icon: Encodable {
        let src: String
        let sizes = "any"
        let type = "image/svg+xml"
        let purpose = "any"
    }
    struct Shortcut: Encodable {
        let name: String
        let url: String
    }

    let name = "Chirp"
    let id: String
    let scope: String
    let start_url: String
    let display = "standalone"
    let lang: String
    let background_color = "#f5f6f3"
    let theme_color = "#00574d"
    let icons: [Icon]
    let shortcuts: [Shortcut]

    init(prefix: String) {
        (id, scope, start_url) = ("\(prefix)/", "\(prefix)/", "\(prefix)/")
        lang = Language.current.rawValue
        icons = [Icon(src: "\(prefix)/assets/\(Asset.icon.name)")]
        shortcuts = [
            Shortcut(name: word("layout.live"), url: "\(prefix)/live"),
            Shortcut(name: word("layout.record"), url: "\(prefix)/record"),
        ]
    }
}
