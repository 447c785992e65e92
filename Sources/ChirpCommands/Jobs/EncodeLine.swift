internal import ChirpClips

/// What a line of `chirp encode` asks for.
struct EncodeLine: Sendable {
    /// A path, or `-` for standard input.
    var input: String
    /// A path, or `-` for standard output.
    var output: String
    var keepsTags = false
    var clip = ClipChoices()
    var common = CommonChoices()

    func run() async throws {
        var session = try common.session()
        clip.apply(to: &session.config)
        var job = Encoding(
            input: input, output: output, clip: clip, session: session,
            progress: session.console.progressView(ClipSteps.making))
        job.keepsTags = keepsTags
        try job.refuseTerminal()
        let receipt = try await Interruption.cancels { [job] in try await job.receipt() }
        let console = session.console
        try console.answer(ReceiptDocument(receipt))
        guard !console.quiet else { return }
        console.note(ReceiptFormatter(receipt).summary)
        receipt.notes.forEach(console.tell)
    }
}
