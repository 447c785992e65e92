import ChirpClips

extension Receipt.Note {
    /// With the command or the flag that helps, where there is one: flows say what is so, and know no terminal.
    var worded: Receipt.Note {
        switch code {
        case "already-published": Receipt.Note(code: code, text: "\(text); use --again to publish it anew")
        case "no-workers": Receipt.Note(code: code, text: "\(text); start some: chirp worker --fleet ...")
        default: self
        }
    }
}
