internal import ChirpCore
package import ChirpJournal

/// A fleet's queue on NATS JetStream: jobs that wait for workers, and results that wait for their batches.
///
/// A job leaves the queue when a worker says that its result is stored, and a result leaves it when its batch says that its
/// journal knows it. So whoever dies, what was not done is still there. All calls block; the object may be shared.
package final class JobQueue: Sendable {
    package let settings: FleetSettings
    let connection: NatsHandle
    let jetStream: JetStream

    /// Connects.
    package init(_ settings: FleetSettings) throws(FleetError) {
        self.settings = settings
        connection = try NatsHandle(settings)
        jetStream = JetStream(connection: connection, patience: settings.patience)
    }

    package var isConnected: Bool { connection.isConnected }
    package var isClosed: Bool { connection.isClosed }

    // MARK: streams

    /// Twice what a tree may hold.
    private static let mostJobs = 4_000_000

    private struct Info: Decodable {
        var config: StreamConfig
        var state: State
        var total: Int?
        var cluster: Cluster?

        struct Cluster: Decodable { var leader: String? }

        struct State: Decodable {
            var messages: Int
            var subjects: [String: Int]?
        }
    }

    private struct InfoRequest: Encodable {
        var subjects_filter: String?
        var offset: Int?
    }

    private struct ConsumerRequest: Encodable {
        var stream_name: String
        var config: ConsumerConfig
    }

    private struct Purge: Encodable { var filter: String }

    private struct Purged: Decodable { var purged: Int? }

    private struct Empty: Encodable {}

    /// Makes what is not there yet; what is there stays as it is.
    package func prepare() throws(FleetError) {
        for config in [
            StreamConfig.jobs(replicas: settings.replicas), .results(replicas: settings.replicas),
            .dead(replicas: settings.replicas), .tries(replicas: settings.replicas),
        ] { try prepare(config) }
        let workers = ConsumerConfig(
            durable_name: QueueNames.workers, ack_wait: nanoseconds(settings.silence), max_ack_pending: 20_000)
        try prepare(workers, in: QueueNames.jobs)
    }

    private func prepare(_ config: StreamConfig) throws(FleetError) {
        // Making it again with the same settings does nothing, but the number of copies may be another by now.
        let found: StreamConfig
        switch try jetStream.ask("STREAM.INFO.\(config.name)", InfoRequest(), for: Info.self) {
        case .done(let info): found = info.config
        case .refused(let refusal) where refusal.code == 404:
            switch try jetStream.ask("STREAM.CREATE.\(config.name)", config, for: Info.self) {
            case .done: return
            // Another has made it between these two requests.
            case .refused(let refusal) where refusal.err_code == 10058: return try prepare(config)
            case .refused(let refusal):
                throw .refused(code: refusal.err_code ?? refusal.code, reason: refusal.description ?? config.name)
            }
        case .refused(let refusal):
            throw .refused(code: refusal.err_code ?? refusal.code, reason: refusal.description ?? config.name)
        }
        guard found.retention == config.retention, found.subjects == config.subjects,
            found.max_msgs_per_subject == config.max_msgs_per_subject, found.discard == config.discard
        else { throw .foreignStream(name: config.name, reason: "it is kept in another way") }
    }

    func prepare(_ consumer: ConsumerConfig, in stream: String) throws(FleetError) {
        let place = "\(stream).\(consumer.durable_name)"
        // Making it again would change the times of one that others use.
        if case .done = try jetStream.ask("CONSUMER.INFO.\(place)", Empty(), for: JetStream.Nothing.self) { return }
        let request = ConsumerRequest(stream_name: stream, config: consumer)
        _ = try jetStream.demand("CONSUMER.DURABLE.CREATE.\(place)", request, for: JetStream.Nothing.self)
    }

    // MARK: for the batch

    /// Puts jobs into the queue; those that are in it already stay there once. Returns when all are stored.
    ///
    /// - Parameter jobs: made for a place, so that not all have to be held at once.
    package func enqueue(_ count: Int, _ job: (Int) -> FleetJob) throws(FleetError) {
        var window = try PublishWindow(connection, patience: settings.patience)
        func letter(_ index: Int, suffix: String) -> NatsLetter {
            let job = job(index)
            return NatsLetter(
                subject: QueueNames.job(job.id, of: job.batch), payload: FleetJSON.encode(job),
                headers: [("Nats-Msg-Id", "\(job.id)\(suffix)")])
        }
        let outcomes = try window.publish(count) { letter($0, suffix: "") }
        // Its id is remembered for two minutes, longer than a short job lives. One that is to be done again, since its result
        // is lost or its clip was removed, goes under another id; if it is still there, its subject keeps it single.
        let known = outcomes.indices.filter { outcomes[$0] == .known }
        let again = ".\(RandomName(length: 8))"
        _ = try window.publish(known.count) { letter(known[$0], suffix: again) }
    }

    /// The ids of a batch's jobs that are in the queue, waiting or being worked on.
    package func waiting(in batch: String) throws(FleetError) -> Set<JobID> {
        var ids = Set<JobID>()
        var seen = 0
        while true {
            let info = try jetStream.demand(
                "STREAM.INFO.\(QueueNames.jobs)",
                InfoRequest(subjects_filter: QueueNames.jobs(of: batch), offset: seen), for: Info.self)
            let subjects = info.state.subjects ?? [:]
            for subject in subjects.keys {
                if let id = QueueNames.id(in: subject, of: batch) { ids.insert(id) }
            }
            seen += subjects.count
            // The servers tell at most 100,000 at a time, and no batch has more.
            guard !subjects.isEmpty, let total = info.total, seen < min(total, Self.mostJobs) else { return ids }
        }
    }

    /// How many messages of a stream there are by subject, for few subjects.
    func messages(in stream: String, under subject: String) throws(FleetError) -> [String: Int] {
        try jetStream.demand("STREAM.INFO.\(stream)", InfoRequest(subjects_filter: subject), for: Info.self)
            .state.subjects ?? [:]
    }

    /// Takes jobs back that are not wanted any more.
    package func withdraw(_ ids: [JobID], of batch: String) throws(FleetError) {
        for id in ids {
            _ = try jetStream.demand(
                "STREAM.PURGE.\(QueueNames.jobs)", Purge(filter: QueueNames.job(id, of: batch)), for: Purged.self)
        }
    }

    /// Takes all jobs of a batch back.
    package func withdrawAll(of batch: String) throws(FleetError) {
        _ = try jetStream.demand(
            "STREAM.PURGE.\(QueueNames.jobs)", Purge(filter: QueueNames.jobs(of: batch)), for: Purged.self)
    }

    /// How many jobs are in the queue, of all batches.
    package func allJobs() throws(FleetError) -> Int {
        try jetStream.demand("STREAM.INFO.\(QueueNames.jobs)", InfoRequest(), for: Info.self).state.messages
    }

    /// The server that leads the others in keeping the jobs; nil without others, or while they elect one.
    package func leader() throws(FleetError) -> String? {
        try jetStream.demand("STREAM.INFO.\(QueueNames.jobs)", InfoRequest(), for: Info.self).cluster?.leader
    }

    /// How many jobs have been put aside, of all batches.
    package func deadJobs() throws(FleetError) -> Int {
        try jetStream.demand("STREAM.INFO.\(QueueNames.dead)", InfoRequest(), for: Info.self).state.messages
    }

    /// The results of a batch. Those that an earlier run took without confirming come again at once.
    package func results(of batch: String) throws(FleetError) -> ResultInbox {
        let name = "batch_\(batch)"
        // With the consumer goes its memory of what it has handed out.
        _ = try jetStream.ask(
            "CONSUMER.DELETE.\(QueueNames.results).\(name)", Empty(), for: JetStream.Nothing.self)
        let consumer = ConsumerConfig(
            durable_name: name, ack_wait: nanoseconds(.seconds(60)),
            filter_subject: QueueNames.results(of: batch), max_ack_pending: 20_000)
        try prepare(consumer, in: QueueNames.results)
        return try ResultInbox(self, consumer: name)
    }

    /// Nobody waits for results any more.
    func forgetConsumer(_ name: String) {
        _ = try? jetStream.ask(
            "CONSUMER.DELETE.\(QueueNames.results).\(name)", Empty(), for: JetStream.Nothing.self)
    }

    private func nanoseconds(_ time: Duration) -> Int64 { Int64(time / .nanoseconds(1)) }
}
