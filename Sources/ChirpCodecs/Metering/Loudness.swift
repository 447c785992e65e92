public import ChirpAudio

/// How loud a signal is: what ``LoudnessMeter`` found. Nil where a value does not exist, as in silence.
public struct Loudness: Hashable, Sendable {
    /// Gated over the whole signal; nil for silence and below 400 ms.
    public var integrated: LUFS?
    /// Not gated, over all there is; for signals too short for ``integrated``. Nil for silence (below -70 LUFS).
    public var ungated: LUFS?
    /// The loudest 3 s and the loudest 400 ms.
    public var shortTermMaximum: LUFS?
    public var momentaryMaximum: LUFS?
    /// In LU, EBU Tech 3342; nil when no 3 s are above the gate.
    public var range: Double?
    /// Minus infinity for digital silence; nil when it was not measured.
    public var truePeak: Decibels?
    public var samplePeak: Decibels

    /// What a clip's loudness is: integrated, or over all there is when it is shorter than 400 ms.
    public var best: LUFS? { integrated ?? ungated }
}
