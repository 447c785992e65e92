import ArgumentParser

/// How the progress of long work is shown on standard error.
enum ProgressStyle: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument, ConfigValue {
    /// A bar when standard error is a terminal, otherwise nothing.
    case auto
    /// A line of words per step, for logs and screen readers.
    case plain
    case none
}
