/// An error that can be shown to a person: what happened, what to do, and how the process ends because of it.
///
/// Facts are associated values of the conforming enum; what happened is worded beside the cases. What to do is a value, since it
/// reads differently in a terminal and on a page. No text ends in a newline, none holds secrets, and what came from outside goes
/// through ``PlainText`` first.
public protocol Explained: Error, CustomStringConvertible {
    /// One line: what happened and where.
    var whatHappened: String { get }
    /// What the user can do about it.
    var cure: Cure { get }
    /// What a library underneath said, in its own words, for those who ask for details; empty when there is nothing.
    var detail: String { get }
    var exitCode: ExitCode { get }
}

extension Explained {
    public var detail: String { "" }
    /// For logs: what happened, and the cure in plain words.
    public var description: String { cure == .none ? whatHappened : "\(whatHappened). \(cure)" }
}
