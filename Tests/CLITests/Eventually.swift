/// Waits until a condition holds, watching it; the limit is generous and only for failures.
///
/// Looks some hundred times a second: looking all the time would take the processor from the program that is waited for.
func eventually(_ condition: () -> Bool) async {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(300)
    while !condition() && clock.now < end { try? await Task.sleep(for: .milliseconds(3)) }
}
