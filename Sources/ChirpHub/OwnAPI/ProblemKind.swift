/// Why programs are refused, a kind a problem's type: each has an address, which explains it.
enum ProblemKind {
    /// By the last part of the address.
    static let all: [String: String] = [
        "busy": "The hub does as much as it can at this moment. Ask again after the time in Retry-After.",
        "checksum-algorithm": "Uploads are checked by other algorithms; OPTIONS tells which.",
        "code-needed": "The account asks for a code of its authenticator, and none was given, or it was not right.",
        "cut": "The connection ended before the body did. What arrived is kept; ask where to go on.",
        "dead-link":
            "A link works once and for 30 minutes. This one was used, has ended or never was one. Ask for a new one.",
        "form-token": "A request that changes something comes from a page of this hub, with its token in X-Chirp-Form.",
        "gone": "What was there has expired or was removed.",
        "invalid": "Fields of the request cannot be taken. The member errors says what is wrong with each.",
        "larger-than-announced": "More was sent than the upload was announced to have.",
        "locked": "Another request writes on this upload. Ask again when that one has ended.",
        "identity-taken": "Somebody else here signs in by that account of the other service.",
        "last-way": "Without it nothing would sign the account in. Set a password first.",
        "media-type": "The body is of a type that is not taken here.",
        "no-file": "The form has no file.",
        "no-frame": "No frame was begun in this browser, or it has ended. The member detail says why.",
        "no-media": "There is no such media, or it is another account's.",
        "no-room": "The disk of the hub is full. Whoever runs it has to make room.",
        "no-space": "The disk of the hub is full. Whoever runs it has to make room.",
        "no-upload": "There is no such upload, or it is another account's, or it has expired.",
        "not-accepted": "What was sent breaks a rule, which the title or the member errors names.",
        "not-allowed":
            "Who asks is known, and may not do this: the account is of another role, not confirmed or suspended.",
        "not-as-announced": "The length of an upload does not agree with what was announced.",
        "not-found": "There is nothing, or nothing that whoever asks may see.",
        "not-understood": "The request has another form than the one that is described in /api/openapi.json.",
        "oauth": "A request for a token was refused, by RFC 6749. The member error says why.",
        "offset": "The upload goes on at another place than the request does. Ask where with HEAD.",
        "over-quota": "The account has no room left. Deleting clips makes some.",
        "read-only": "A frame only reads. Its caretaker may switch answering on.",
        "refused": "What was uploaded is nothing that can become a clip.",
        "registration-closed": "Nobody can sign up at this hub, or only with an invitation.",
        "scope": "The token does not allow this. The member detail names the scope that does.",
        "signed-out": "This is for those who are signed in: send a token, or a session with the header X-Chirp-Form.",
        "storage": "The hub could not store what was sent. Its log says why.",
        "suspended": "The account is suspended. It reads, and may appeal once.",
        "taken": "Something else has this name.",
        "token": "The token has ended or never was one. Sign in again.",
        "too-large": "The body is larger than any that is taken here.",
        "too-often": "This was asked too often by this account or address. Ask again after the time in Retry-After.",
        "tus-version": "Uploads are spoken of in another version of tus.",
        "unconfirmed": "The mail address of the account was not confirmed yet.",
        "wrong-credentials": "The name or the password is not right.",
    ]

    /// What a kind means; nil when there is no such kind. Those of a status alone say no more than it does.
    static func explanation(_ kind: String) -> String? {
        if let known = all[kind] { return known }
        guard kind.hasPrefix("status-"), let status = Int(kind.dropFirst(7)), (400...599).contains(status) else {
            return nil
        }
        return "The status \(status) of HTTP says all that there is to say (RFC 9110, section 15)."
    }
}
