public import ChirpAudio

/// Measures any readable file as it is, without changing it.
///
/// Blocking: run it through `offPool`. Looks at `Task.isCancelled` between blocks.
/// - Parameters:
///   - path: the file.
///   - name: what the user calls it.
///   - dualMono: count a mono file as heard on two channels (3 LU more), the default of everything Chirp does.
public func inspect(path: String, name: String, dualMono: Bool = true) throws(AudioError) -> Inspection {
    throw .unsupported(name: name, reason: "files cannot be inspected yet")
}
