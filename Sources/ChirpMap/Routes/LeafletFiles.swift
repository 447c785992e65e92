internal import ChirpFiles
internal import ChirpWeb

/// Leaflet, which moves maps in browsers, as Debian's package `libjs-leaflet` has put it on this machine. It is no part of this program.
package struct LeafletFiles: Sendable {
    let script: PackedBytes
    let style: PackedBytes
    /// Pictures that the style names.
    let images: [String: PackedBytes]
    /// Changes with the files.
    package let version: String

    package static let folder = "/usr/share/javascript/leaflet"

    /// Nil when the package is not installed.
    package init?(folder: String = folder) {
        guard let script = Self.file("\(folder)/leaflet.esm.min.js"), let style = Self.file("\(folder)/leaflet.css")
        else {
            return nil
        }
        self.script = script
        self.style = style
        let names = ["layers.png", "layers-2x.png", "marker-icon.png", "marker-icon-2x.png", "marker-shadow.png"]
        images = names.reduce(into: [:]) { images, name in
            images[name] = Self.bytes("\(folder)/images/\(name)").map { PackedBytes($0, packed: nil) }
        }
        version = String(FileDigest.sha256(of: script.bytes + style.bytes).prefix(8))
    }

    private static func file(_ path: String) -> PackedBytes? {
        guard let plain = bytes(path) else { return nil }
        return bytes("\(path).gz").map { PackedBytes(plain, packed: $0) } ?? PackedBytes(plain)
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        do {
            try FileContent.read(path, limit: 1 << 20, isUnwanted: { false }) { bytes.append(contentsOf: $0) }
        } catch { return nil }
        return bytes.isEmpty ? nil : bytes
    }
}
