internal import Foundation

/// Where the built program and the package are, found from the running test bundle: nothing depends on where a clone lies.
public enum BuiltProgram {
    /// The folder of the products: the bundle's own.
    public static let folder: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: bundle).deletingLastPathComponent().path(percentEncoded: false).trimmingSlash
    }()

    /// The program itself: beside the bundle, or where `CHIRP_PROGRAM` says, as in `make test`.
    public static let path = ProcessInfo.processInfo.environment["CHIRP_PROGRAM"] ?? "\(folder)/chirp"

    /// The folder of `Package.swift`.
    public static let package: String = {
        var place = URL(filePath: folder)
        while place.path(percentEncoded: false) != "/" {
            let manifest = place.appending(path: "Package.swift").path(percentEncoded: false)
            if FileManager.default.fileExists(atPath: manifest) { break }
            place = place.deletingLastPathComponent()
        }
        return place.path(percentEncoded: false).trimmingSlash
    }()

    /// A sample of the repository.
    public static func sample(_ name: String) -> String { "\(package)/Samples/\(name)" }
}

extension String {
    fileprivate var trimmingSlash: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }
}
