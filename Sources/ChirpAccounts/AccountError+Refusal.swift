extension AccountError {
    /// Why something that was typed or chosen cannot be taken. Pages word it in the visitor's language.
    public enum Refusal: Hashable, Sendable {
        case handleLength, handleEmpty, handleReserved, handleTaken, handleSame
        case mailLength, mailLetters, mailForm
        case passwordLength, passwordWrong
        /// It is one of those that are tried first (``PasswordRule``).
        case passwordCommon
        /// There is little in it but the names of the account or of the hub.
        case passwordKnown
        /// The owner's account cannot be deleted.
        case ownerStays
        case nameLength, bioLength
        case pictureMissing, pictureSize, picturesOff
        /// With the reason of whoever has looked at it.
        case pictureOdd(String)

        /// A sentence without its full stop, for logs, the terminal and programs.
        public var sentence: String {
            switch self {
            case .handleLength:
                "A user name has \(Handle.lengths.lowerBound) to \(Handle.lengths.upperBound) letters from a to z, digits and _"
            case .handleEmpty: "A user name has at least one letter or digit"
            case .handleReserved: "That name is kept for the hub itself"
            case .handleTaken: "Somebody has that name, or one that looks like it"
            case .handleSame: "That is your name already"
            case .mailLength: "A mail address has at most 254 characters"
            case .mailLetters: "Letters beyond a to z are not read here; write the domain as xn--..."
            case .mailForm: "A mail address looks like ann@example.org"
            case .passwordLength:
                "A password has \(PasswordHash.lengths.lowerBound) to \(PasswordHash.lengths.upperBound) characters"
            case .passwordCommon:
                "That password is one of those that are tried first: common words with a number, sequences, repetitions"
            case .passwordKnown: "A password cannot be made of the user name, the mail address or the hub's name"
            case .passwordWrong: "That is not your password"
            case .ownerStays: "The owner's account stays as long as the hub does"
            case .nameLength: "A name has at most \(Accounts.longestName) characters"
            case .bioLength: "What is told about you has at most \(Accounts.longestBio) characters"
            case .pictureMissing: "Choose a picture"
            case .pictureSize: "A picture has at most 8 MB"
            case .picturesOff: "This hub takes no pictures"
            case .pictureOdd(let reason): "That picture cannot be used: \(reason)"
            }
        }
    }
}
