/// An error that can be shown to a person as it is: what happened, what to do, and how the process ends because of it.
///
/// Facts are associated values of the conforming enum; the wording lives beside the cases. Neither text ends in a newline,
/// neither holds secrets, and text that came from outside goes through ``PlainText`` first.
public protocol Explained: Error, CustomStringConvertible {
    /// One line: what happened and where.
    var whatHappened: String { get }
    /// One line: what the user can do about it. Empty when there is nothing to do.
    var whatToDo: String { get }
    /// What a library underneath said, in its own words, for those who ask for details; empty when there is nothing.
    var detail: String { get }
    var exitCode: ExitCode { get }
}

extension Explained {
    public var detail: String { "" }
    public var description: String { whatToDo.isEmpty ? whatHappened : "\(whatHappened). \(whatToDo)" }
}
