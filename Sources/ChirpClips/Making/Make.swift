public import ChirpAudio
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
internal import ChirpMP3

/// Makes the clip and checks it: render, decode and measure the result meanwhile, and make it again if it is too hot.
///
/// Blocking: run it through `offPool`. Looks at `Task.isCancelled` between blocks and then throws
/// ``AudioError/cancelled``; whatever is thrown, nothing is left behind.
/// - Parameter findsDigest: also find the clip's digest, for receipts that somebody reads; otherwise it is empty.
/// - Parameter outline: gets what a picture of the clip needs once the clip is made; not when ``ClipRequest/verifies`` is false.
/// - Returns: the receipt with input, trim, level, clip, timings and notes filled. Levels of the clip are nil when
///   ``ClipRequest/verifies`` is false: they were not measured.
public func make(
    _ clip: ClipPlan, to destination: ClipDestination, findsDigest: Bool = true,
    outline: ((ClipOutline) -> Void)? = nil,
    progress: @Sendable (ClipProgress) -> Void
) throws(AudioError) -> Receipt {
    let delivery = try ClipDelivery(destination)
    var timings = clip.timings
    timings.render = 0
    var plan = clip.plan
    var corrections = 0
    while true {
        let begin = ContinuousClock.now
        let rendered = try render(
            clip, plan: plan, to: delivery.temporary, flushes: destination.isLasting, outlines: outline != nil
        ) {
            progress(ClipProgress(step: .render, fraction: $0))
        }
        timings.render? += (ContinuousClock.now - begin) / .seconds(1)
        if let check = rendered.report.measured {
            timings.verify = (timings.verify ?? 0) + check.seconds
            guard check.frames == clip.frames else { throw .library(name: "the encoder's length", code: check.frames) }
            // One turn is the rule, three the end: what is left then is below what is heard.
            if corrections < 3,
                let better = plan.corrected(after: check, of: clip.analysis, policy: clip.request.policy)
            {
                plan = better
                corrections += 1
                continue
            }
        }
        let file = findsDigest ? try hashFile(delivery.temporary) : try sizeFile(delivery.temporary)
        try delivery.deliver()
        if let check = rendered.report.measured {
            outline?(ClipOutline(seconds: clip.seconds, magnitudes: check.outline))
        }
        progress(ClipProgress(step: .verify, fraction: 1))
        timings.total = (timings.analyse ?? 0) + (timings.render ?? 0)
        return receipt(
            clip, plan: plan, rendered: rendered, file: file, destination: destination, timings: timings,
            corrections: corrections)
    }
}

/// What rendering tells.
private struct Rendered {
    var report: MP3Report
    var deepestReduction: Decibels
}

private func render(
    _ clip: ClipPlan, plan: EditPlan, to path: String, flushes: Bool, outlines: Bool, progress: (Double) -> Void
) throws(AudioError) -> Rendered {
    var reader = try EditedReader(clip.request.source, plan: plan, format: clip.clipFormat)
    var writer = try MP3FileWriter(
        path: path, format: clip.clipFormat, settings: clip.settings, tag: clip.request.tag, jobs: clip.request.jobs,
        expectedFrames: clip.frames, measures: clip.request.verifies, outlines: outlines, flushes: flushes)
    var block = AudioBlock(format: clip.clipFormat)
    var ticker = BlockTicker()
    var frames = 0
    while try reader.read(into: &block) {
        try ticker.check()
        try writer.write(block)
        frames += block.frames
        if ticker.isDue { progress(Double(frames) / Double(max(1, clip.frames))) }
    }
    guard frames == clip.frames else {
        // FLAC jumps to where its frames say that they are, and those can lie: that is no fault of the disk, and the next try ends the same.
        if let seal = clip.seal, seal == reader.seal {
            throw .undecodable(name: clip.request.source.name, reason: "its positions do not agree with its sound")
        }
        // The file has changed since it was analysed.
        throw .inputOutput(path: clip.request.source.path, reason: "it changed while it was read")
    }
    let report = try writer.close()
    progress(1)
    return Rendered(report: report, deepestReduction: reader.deepestReduction)
}

private func receipt(
    _ clip: ClipPlan, plan: EditPlan, rendered: Rendered, file: SpooledInput, destination: ClipDestination,
    timings: Receipt.Timings, corrections: Int
) -> Receipt {
    let format = clip.clipFormat
    let check = rendered.report.measured
    let truePeak = check?.truePeak.value
    var kbps = Int(rendered.report.averageKbps.rounded())
    if case .constant(let constant) = clip.settings.rate { kbps = constant }
    var receipt = Receipt(
        input: clip.input,
        trim: Receipt.Trim(
            headSeconds: format.seconds(ofFrames: plan.headFrames),
            tailSeconds: format.seconds(ofFrames: plan.tailFrames), capped: plan.isCapped),
        level: Receipt.Level(
            method: plan.method, beforeLUFS: plan.before?.value, gainDB: plan.gain.value,
            limitedDB: rendered.deepestReduction.value, afterLUFS: check?.best?.value,
            truePeakDBTP: truePeak.flatMap { $0.isFinite ? $0 : nil }),
        clip: Receipt.Clip(
            path: destination.path, bytes: file.size.bytes, predictedBytes: clip.predictedBytes.bytes,
            sha256: file.sha256,
            seconds: clip.seconds, frames: clip.frames, sampleRate: format.sampleRate, channels: format.channels,
            bitrateKbps: kbps, preset: clip.request.preset.rawValue),
        timings: timings)
    receipt.notes = clip.notes
    if check == nil {
        receipt.notes.append(
            Receipt.Note(code: "not-verified", text: "the clip was not decoded and measured, as asked for"))
    }
    if corrections > 0 {
        receipt.notes.append(
            Receipt.Note(
                code: "encoded-again", text: "encoding had changed the level; the clip was corrected and made again"))
    }
    return receipt
}
