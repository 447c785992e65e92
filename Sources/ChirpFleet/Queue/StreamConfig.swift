/// How a stream is kept, as the servers know it: names are theirs, times are nanoseconds.
struct StreamConfig: Codable, Hashable {
    var name: String
    var subjects: [String]
    var retention: String
    var max_consumers = -1
    var max_msgs: Int64 = -1
    var max_bytes: Int64 = -1
    var max_age: Int64 = 0
    var max_msgs_per_subject: Int64 = -1
    var max_msg_size: Int64 = -1
    var storage = "file"
    var discard: String
    var discard_new_per_subject: Bool?
    var num_replicas: Int
    var duplicate_window: Int64

    private static let second: Int64 = 1_000_000_000
    private static let day = 86_400 * second

    /// Two minutes, as usual. A message with the same id is not stored again within it.
    private static let window = 120 * second

    /// Jobs: each is there until it is done, and there once only. The id of a message guards that for two minutes, the
    /// limit of one message per subject for as long as the job is in the queue.
    static func jobs(replicas: Int) -> StreamConfig {
        StreamConfig(
            name: QueueNames.jobs, subjects: ["chirp.jobs.>"], retention: "workqueue", max_msgs_per_subject: 1,
            discard: "new", discard_new_per_subject: true, num_replicas: replicas, duplicate_window: window)
    }

    /// Results: each is there until its batch has taken it; those of abandoned batches go after thirty days.
    static func results(replicas: Int) -> StreamConfig {
        StreamConfig(
            name: QueueNames.results, subjects: ["chirp.results.>"], retention: "workqueue", max_age: 30 * day,
            discard: "old", num_replicas: replicas, duplicate_window: window)
    }

    /// What workers say of tries that came to nothing: a short message each, for a week. Old ones go when there are too many,
    /// which gives a job more tries than it should have.
    static func tries(replicas: Int) -> StreamConfig {
        StreamConfig(
            name: QueueNames.tries, subjects: ["chirp.tries.>"], retention: "limits", max_msgs: 1_000_000,
            max_age: 7 * day, discard: "old", num_replicas: replicas, duplicate_window: window)
    }

    /// Jobs that could not be done, with the reasons, for people to look at.
    static func dead(replicas: Int) -> StreamConfig {
        StreamConfig(
            name: QueueNames.dead, subjects: ["chirp.dead.>"], retention: "limits", max_msgs: 100_000,
            max_age: 30 * day, discard: "old", num_replicas: replicas, duplicate_window: window)
    }
}

/// How messages of a stream are handed out.
struct ConsumerConfig: Codable, Hashable {
    var durable_name: String
    var deliver_policy = "all"
    var ack_policy = "explicit"
    var ack_wait: Int64
    /// Without end: workers count tries themselves, since only they know the reasons.
    var max_deliver = -1
    var filter_subject: String?
    var max_ack_pending: Int
    var replay_policy = "instant"
}
