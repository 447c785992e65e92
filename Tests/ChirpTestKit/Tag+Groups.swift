package import Testing

/// Tests run in groups, one after the other: `Scripts/test-group` says which, and which test targets belong to which. A suite that belongs
/// to another group than the rest of its target carries that group's name: `@Suite(.tags(.careful)) struct ...`. Tests in it follow.
extension Tag {
    /// Computes for seconds, so that suites which wait for answers would find every thread taken.
    @Tag package static var computing: Self

    /// Kills a program at one moment, and does not find it beside others.
    @Tag package static var careful: Self

    /// Wants every sample of a microphone, and loses some beside others.
    @Tag package static var hearing: Self
}
