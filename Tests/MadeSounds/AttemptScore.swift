package import ChirpMusic

/// How far what was heard of a made attempt is from the truth.
package struct AttemptScore: Sendable {
    package let conditions: MadeAttempt.Conditions
    /// What was heard; nil when it was refused.
    package let take: TimedTake?
    package let refusal: TimedTakeError?
    /// Seconds; nil without a take.
    package let startError: Double?
    package let stopError: Double?
    /// Of the duration by the clock of the device that played.
    package let durationError: Double?
    /// Whether a code was heard at all, and the right one.
    package let codeIsRight: Bool

    package init(_ attempt: MadeAttempt) {
        conditions = attempt.conditions
        do throws(TimedTakeError) {
            let found = try TimedTake.find(in: attempt.samples, rate: attempt.rate, code: attempt.code)
            take = found
            refusal = nil
            startError = found.start - attempt.start
            stopError = found.stop - attempt.stop
            durationError = found.duration - attempt.conditions.duration
            codeIsRight = true
        } catch {
            take = nil
            refusal = error
            (startError, stopError, durationError) = (nil, nil, nil)
            codeIsRight = error == .noStop
        }
    }

    /// Start and stop were found, both less than 5 ms from the truth.
    package var isExact: Bool {
        guard let startError, let stopError else { return false }
        return abs(startError) < 0.005 && abs(stopError) < 0.005
    }
}
