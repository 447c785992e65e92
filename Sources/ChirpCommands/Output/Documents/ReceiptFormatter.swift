package import ChirpClips
internal import ChirpCore

/// What a receipt says to people.
package struct ReceiptFormatter {
    /// One line: what came out.
    package let summary: String

    package init(_ receipt: Receipt) {
        var parts: [String] = []
        if let clip = receipt.clip {
            parts.append(clip.path.map { PlainText($0, limit: 300).value } ?? "clip")
            parts.append("\(Figures.seconds(clip.seconds)), \(ByteCount(clip.bytes)), \(clip.bitrateKbps) kbps")
        }
        if let loudness = receipt.level.afterLUFS {
            let gain = receipt.level.gainDB
            parts.append(
                "\(Figures.number(loudness, places: 1)) LUFS (\(gain < 0 ? "" : "+")\(Figures.number(gain, places: 1)) dB)"
            )
        }
        let trimmed = receipt.trim.headSeconds + receipt.trim.tailSeconds
        if trimmed >= 0.01 { parts.append("\(Figures.seconds(trimmed)) of silence removed") }
        if receipt.trim.capped { parts.append("cut to length") }
        if let network = receipt.network, let cost = network.estimatedCostUSD, cost > 0 {
            parts.append("the post on \(network.name) costs $\(Figures.number(cost, places: 2))")
        }
        summary = (parts.first ?? "done") + (parts.count > 1 ? ": " + parts.dropFirst().joined(separator: ", ") : "")
    }
}

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
