/// Waits until a condition holds, watching it; the limit is generous and only for failures.
func eventually(_ condition: () -> Bool) async {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(60)
    while !condition() && clock.now < end { await Task.yield() }
}
