import ChirpPlaces
import Glibc
import Logging

extension Wiring {
    /// Names of places, made anew when Debian's list of them is another one; nil when there is none.
    func gazetteer() -> Gazetteer? {
        let (path, source, logger) = ("\(session.paths.hub)/places.sqlite", Gazetteer.usualSource, logger())
        guard access(source, R_OK) == 0 || access(path, R_OK) == 0 else { return nil }
        return Gazetteer(path: path, source: source) { error in
            logger.warning("there are no names of places: \(error.reason)")
        }
    }
}
