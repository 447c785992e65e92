/// A worker's figures in the text format of Prometheus (exposition format 0.0.4).
struct WorkerMetrics {
    let text: String

    init(_ figures: WorkerFigures, id: String, isConnected: Bool) {
        var text = ""
        func family(_ name: String, _ kind: String, _ help: String, _ samples: [(labels: String, value: String)]) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
            for sample in samples { text += "\(name)\(sample.labels) \(sample.value)\n" }
        }
        family("chirp_worker_info", "gauge", "The worker's name in the queue.", [("{worker=\"\(id)\"}", "1")])
        family("chirp_worker_connected", "gauge", "1 while the queue can be reached.", [("", isConnected ? "1" : "0")])
        family(
            "chirp_worker_jobs_total", "counter", "Jobs by what became of them.",
            [
                ("{outcome=\"made\"}", "\(figures.made)"), ("{outcome=\"failed\"}", "\(figures.failed)"),
                ("{outcome=\"given_back\"}", "\(figures.givenBack)"), ("{outcome=\"buried\"}", "\(figures.buried)"),
            ])
        family("chirp_worker_jobs_running", "gauge", "Jobs that are being made.", [("", "\(figures.running)")])
        family(
            "chirp_worker_audio_seconds_total", "counter", "Length of the recordings that became clips.",
            [("", "\(figures.audioSeconds)")])
        family(
            "chirp_worker_busy_seconds_total", "counter", "Time that making them took, all lanes together.",
            [("", "\(figures.busySeconds)")])
        family("chirp_worker_uptime_seconds", "gauge", "Time since the worker began.", [("", "\(figures.seconds)")])
        family(
            "chirp_queue_jobs_waiting", "gauge", "Jobs in the queue when this worker took its last one.",
            [("", "\(figures.waiting)")])
        self.text = text
    }
}
