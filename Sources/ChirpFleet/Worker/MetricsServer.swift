internal import ChirpCore
internal import Hummingbird
public import Logging

/// Figures and health of a worker over HTTP: `/metrics` for Prometheus, `/healthz` for supervisors. Reading only.
public struct MetricsServer: Sendable {
    private let host: String
    private let port: Int
    private let worker: FleetWorker
    private let logger: Logger

    /// - Parameter address: `HOST:PORT`; a port of 0 is any free one.
    /// - Throws: `cannotListen` for what is no address.
    public init(_ address: String, of worker: FleetWorker, logger: Logger) throws(FleetError) {
        guard let colon = address.lastIndex(of: ":"), colon > address.startIndex,
            let port = UInt16(address[address.index(after: colon)...])
        else { throw .cannotListen(address: address, reason: "it is not HOST:PORT") }
        let host = address[..<colon]
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
        self.port = Int(port)
        self.worker = worker
        // What it says by itself of connections that end with the worker is no error of anybody's.
        var logger = logger
        logger.logLevel = .critical
        self.logger = logger
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onRunning: called once with the port.
    /// - Throws: `cannotListen`.
    public func run(onRunning: @escaping @Sendable (_ port: Int) -> Void) async throws(FleetError) {
        let router = Router()
        let worker = worker
        router.get("metrics") { _, _ in
            let text = WorkerMetrics(worker.figures, id: worker.id, isConnected: worker.trouble == nil).text
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
        router.get("healthz") { _, _ in
            let trouble = worker.trouble
            return Response(
                status: trouble == nil ? .ok : .serviceUnavailable,
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "\(trouble ?? "ok")\n")))
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "chirp"),
            onServerRunning: { channel in onRunning(channel.localAddress?.port ?? 0) }, logger: logger)
        do {
            try await application.run()
        } catch is CancellationError {
            return
        } catch {
            throw .cannotListen(address: "\(host):\(port)", reason: PlainText("\(error)", limit: 200).value)
        }
    }
}
