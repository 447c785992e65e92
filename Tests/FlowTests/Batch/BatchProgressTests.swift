import ChirpFlows
import Testing

@Suite struct BatchProgressTests {
    @Test func `progress is weighed by audio, not by files`() {
        var pace = BatchProgress(files: 100, seconds: 1000, filesDone: 99, secondsDone: 100, elapsed: .seconds(10))
        #expect(pace.fraction == 0.1)
        #expect(pace.speed == 10)
        #expect(pace.secondsLeft == 90)
        pace.elapsed = .milliseconds(900)
        #expect(pace.secondsLeft == nil)
        pace.elapsed = .seconds(100)
        pace.secondsDone = 10
        #expect(pace.secondsLeft == nil)
    }

    @Test func `headers that promised too little do not lead beyond the end`() {
        let pace = BatchProgress(files: 2, seconds: 10, filesDone: 1, secondsDone: 30, elapsed: .seconds(3))
        #expect(pace.fraction == 1)
        #expect(pace.secondsLeft == 0)
        #expect(BatchProgress(files: 0, seconds: 0).fraction == 1)
    }
}
