internal import ChirpWeb

/// Why programs are refused, a kind a problem's type: each has an address, which explains it.
enum ProblemKind {
    /// What a kind means, in the visitor's language; nil when there is no such kind. Those of a status alone say no more than it does.
    ///
    /// - Parameter kind: the last part of the address.
    static func explanation(_ kind: String) -> String? {
        if let known = known(kind) { return known }
        guard kind.hasPrefix("status-"), let status = kind.dropFirst(7).integer(in: 400...599) else { return nil }
        return word("problem.status", ["status": "\(status)"])
    }

    private static func known(_ kind: String) -> String? {
        switch kind {
        case "already-live": word("problem.already-live")
        case "bad-time": word("problem.bad-time")
        case "form-token": word("problem.form-token")
        case "no-draft": word("problem.no-draft")
        case "no-frame": word("problem.no-frame")
        case "no-speech": word("problem.no-speech")
        case "no-session": word("problem.no-session")
        case "nobody-chosen": word("problem.nobody-chosen")
        case "not-followed": word("problem.not-followed")
        case "read-only": word("problem.read-only")
        case "still-receiving": word("problem.still-receiving")
        case "too-long-text": word("problem.too-long-text")
        case "busy": word("problem.busy")
        case "checksum": word("problem.checksum")
        case "too-long": word("problem.too-long")
        case "checksum-algorithm": word("problem.checksum-algorithm")
        case "code-needed": word("problem.code-needed")
        case "cut": word("problem.cut")
        case "dead-link": word("problem.dead-link")
        case "gone": word("problem.gone")
        case "invalid": word("problem.invalid")
        case "larger-than-announced": word("problem.larger-than-announced")
        case "locked": word("problem.locked")
        case "identity-taken": word("problem.identity-taken")
        case "last-way": word("problem.last-way")
        case "media-type": word("problem.media-type")
        case "no-file": word("problem.no-file")
        case "no-media": word("problem.no-media")
        case "no-password": word("problem.no-password")
        case "no-room": word("problem.no-room")
        case "no-space": word("problem.no-space")
        case "no-upload": word("problem.no-upload")
        case "not-accepted": word("problem.not-accepted")
        case "not-allowed": word("problem.not-allowed")
        case "not-as-announced": word("problem.not-as-announced")
        case "not-found": word("problem.not-found")
        case "not-understood": word("problem.not-understood")
        case "oauth": word("problem.oauth")
        case "offset": word("problem.offset")
        case "over-quota": word("problem.over-quota")
        case "refused": word("problem.refused")
        case "registration-closed": word("problem.registration-closed")
        case "scope": word("problem.scope")
        case "signed-out": word("problem.signed-out")
        case "storage": word("problem.storage")
        case "suspended": word("problem.suspended")
        case "taken": word("problem.taken")
        case "token": word("problem.token")
        case "too-large": word("problem.too-large")
        case "too-many-fields": word("problem.too-many-fields")
        case "too-many-uploads": word("problem.too-many-uploads")
        case "too-often": word("problem.too-often")
        case "too-much-at-once": word("problem.too-much-at-once")
        case "tus-version": word("problem.tus-version")
        case "unconfirmed": word("problem.unconfirmed")
        case "wrong-credentials": word("problem.wrong-credentials")
        case "own": word("problem.own")
        case "already-reported": word("problem.already-reported")
        case "not-active": word("problem.not-active")
        case "right-lost": word("problem.right-lost")
        case "involved": word("problem.involved")
        case "changed-meanwhile": word("problem.changed-meanwhile")
        case "failed": word("problem.failed")
        case "no-places": word("problem.no-places")
        case "already-claimed": word("problem.already-claimed")
        case "claim-decided": word("problem.claim-decided")
        case "frozen": word("problem.frozen")
        case "no-push": word("problem.no-push")
        case "no-browser": word("problem.no-browser")
        case "pictures-off": word("problem.pictures-off")
        case "no-poster": word("problem.no-poster")
        case "own-vote": word("problem.own-vote")
        case "films-off": word("problem.films-off")
        case "tracks-off": word("problem.tracks-off")
        default: nil
        }
    }
}
