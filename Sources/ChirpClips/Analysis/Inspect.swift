public import ChirpAudio
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpMP3

/// Measures any readable file as it is, without changing it: loudness and peaks of its own channels, each with the weight that
/// ITU-R BS.1770 gives its place. What trimming would find is that of the clip, for which surround is mixed down.
///
/// Blocking: run it through `offPool`. Looks at `Task.isCancelled` between blocks.
/// - Parameters:
///   - path: the file.
///   - name: what the user calls it.
///   - dualMono: count a mono file as heard on two channels (3 LU more), the default of everything Chirp does.
/// - Throws: ``AudioError``; a file without any sample is `nothingToHear`, silence is not.
public func inspect(path: String, name: String, dualMono: Bool = true) throws(AudioError) -> Inspection {
    var file = try AudioFile(opening: path, name: name, keepsChannels: true)
    let format = file.format
    var meter = LoudnessMeter(format: format, weights: file.loudnessWeights, dualMono: dualMono)
    let clipFormat = AudioFormat(sampleRate: format.sampleRate, channels: min(format.channels, 2))
    var windows = LevelWindowMeter(format: clipFormat, removingRumble: false)
    var stereo = AudioBlock(format: AudioFormat(sampleRate: format.sampleRate, channels: 2))
    var statistics = SampleStatistics(channels: format.channels)
    var block = AudioBlock(format: format)
    var ticker = BlockTicker()
    while try file.read(into: &block) {
        try ticker.check()
        meter.add(block)
        if format.channels > 2 {
            file.mixToStereo(block, into: &stereo)
            windows.add(stereo)
        } else {
            windows.add(block)
        }
        statistics.add(block)
    }
    let frames = windows.frames
    guard frames > 0 else { throw .nothingToHear(name: name, reason: "it has no samples") }
    let analysis = ClipAnalysis(
        format: clipFormat, frames: frames, windows: windows.finish(), removesRumble: false)
    let loudness = meter.result()
    let input = Receipt.Input(
        name: name, sha256: try hashFile(path).sha256, seconds: format.seconds(ofFrames: frames),
        sampleRate: format.sampleRate, channels: file.sourceChannels, format: file.sourceFormat)
    return Inspection(
        input: input,
        level: Inspection.Level(
            integratedLUFS: loudness.integrated?.value, shortTermMaxLUFS: loudness.shortTermMaximum?.value,
            momentaryMaxLUFS: loudness.momentaryMaximum?.value, rangeLU: loudness.range,
            layout: file.layoutName, truePeakDBTP: loudness.truePeak.flatMap(finite),
            samplePeakDBFS: finite(loudness.samplePeak),
            clippedSamples: statistics.clippedSamples, dcOffset: statistics.dcOffset),
        silence: silence(analysis), tags: tags(file),
        mp3: file.sourceFormat.hasPrefix("MP3") ? try inspectFrames(path: path) : nil,
        notes: file.notes.map { Receipt.Note(code: $0.code, text: $0.text) })
}

private func finite(_ level: Decibels) -> Double? { level.value.isFinite ? level.value : nil }

private func tags(_ file: borrowing AudioFile) -> Inspection.Tags {
    let tag = file.sourceTags
    func plain(_ text: String?) -> String? {
        guard let plain = text.map({ PlainText($0) }), !plain.isEmpty else { return nil }
        return plain.value
    }
    return Inspection.Tags(
        title: plain(tag.title), artist: plain(tag.artist), comment: plain(tag.comment), hasCover: tag.cover != nil)
}

private func silence(_ analysis: ClipAnalysis) -> Inspection.Silence {
    let seconds = analysis.format.seconds(ofFrames: analysis.frames)
    guard let voiced = analysis.gate.voiced else {
        return Inspection.Silence(headSeconds: seconds, tailSeconds: 0)
    }
    return Inspection.Silence(
        headSeconds: analysis.format.seconds(ofFrames: analysis.frame(ofWindow: voiced.lowerBound)),
        tailSeconds: seconds - analysis.format.seconds(ofFrames: analysis.frame(ofWindow: voiced.upperBound)),
        noiseFloorDBFS: analysis.gate.noiseFloor.flatMap(finite))
}
