internal import ChirpCore

extension BatchFlow {
    /// Makes what is not made yet, and then what comes, until the task is cancelled.
    ///
    /// - Parameter settling: a recording is made when nobody has touched it for so long and nobody is writing to it.
    /// - Throws: what prevents or ends the whole; `cancelled` is the usual end.
    public func watch(_ request: BatchRequest, settling: Duration = .seconds(2)) async throws(BatchFailure) -> Never {
        let source = try SourceFolder(request.source)
        let target = try target(of: request, source: source)
        defer { target?.end() }
        let watch = try FolderWatch(source)
        let changes = BatchChanges(watch: watch, settling: settling, now: ports.now)
        var ports = ports
        let report = ports.report
        ports.report = { changes.isNew($0) ? report($0) : true }
        let flow = BatchFlow(ports)
        while true {
            _ = try await flow.pass(request, from: source, to: target, changes: changes)
            guard report(.watching) else { throw .unheard }
            changes.endFirstPass()
            // A file that is not settled yet causes no event when it is.
            let limit = changes.isSettling ? max(settling, .milliseconds(200)) : nil
            try await offPool { () throws(BatchFailure) in try watch.wait(quiet: settling, limit: limit) }
        }
    }
}
