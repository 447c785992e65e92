internal import CLame
internal import CMpg123
internal import CSndfile
internal import CSoxr

/// Which versions of the C libraries this process runs with, as they say themselves.
public enum LibraryVersions {
    /// Name and version, in alphabetical order.
    public static func all() -> [(name: String, version: String)] {
        [
            ("LAME", String(cString: get_lame_version())),
            ("libmpg123", mpg123Version),
            ("libsndfile", String(cString: sf_version_string()).droppingPrefix("libsndfile-")),
            ("libsoxr", String(cString: soxr_version()).droppingPrefix("libsoxr-")),
        ]
    }

    /// The library of Debian 12 tells only the version of its interface.
    private static var mpg123Version: String { "interface \(MPG123_API_VERSION)" }
}

extension String {
    fileprivate func droppingPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
