internal import ChirpClips
internal import ChirpCore
internal import ChirpJournal
internal import ChirpNetworks
internal import FoundationEssentials

// The steps that bring the words to their network, and what is asked of the network before.
extension PublishFlow {
    func network(_ record: PublicationRecord, _ given: (any Network)?) async throws(PublishFailure) -> any Network {
        if let given { return given }
        do throws(NetworkError) {
            return try await ports.network(record.networkName, record.networkPlace)
        } catch {
            throw .network(error)
        }
    }

    /// Asks the network whether a post would be taken: a missing sign-in or a spent budget shows before anything is sent.
    func admit(to network: any Network) async throws(PublishFailure) {
        do throws(NetworkError) { try await network.admit() } catch { throw .network(error) }
    }

    func textRules(of network: any Network) async throws(PublishFailure) -> TextRules {
        do throws(NetworkError) { return try await network.textRules() } catch { throw .network(error) }
    }

    /// `shared` → `posting`: the share text is fixed, so that a repeated post is the same post.
    func write(
        _ record: PublicationRecord, network: any Network
    ) async throws(PublishFailure) -> PublicationRecord {
        let link = record.link ?? ""
        let text = ShareText(words: record.words, link: link, rules: try await textRules(of: network))
        if text.isShortened {
            ports.report(.note(Receipt.Note(code: "words-shortened", text: "the words were too long for the network")))
        }
        let receipt = try changedReceipt(record) { receipt in
            receipt.shareText = text.text
            if text.isShortened {
                receipt.notes.append(
                    Receipt.Note(code: "words-shortened", text: "the words were too long for the network"))
            }
        }
        let posting = try await ports.update(record) { row in
            row.state = .posting
            row.shareText = text.text
            row.receipt = receipt
        }
        try ports.pass(.posting)
        return posting
    }

    /// `posting` → `posted`.
    func post(
        _ record: PublicationRecord, network: any Network, isRepetition: Bool
    ) async throws(PublishFailure) -> PublicationRecord {
        let draft = draft(record, isRepetition: isRepetition)
        let (post, seconds): (Post?, Double)
        do throws(NetworkError) {
            (post, seconds) = try await ports.timed(.post) { () async throws(NetworkError) in
                try await network.publish(draft)
            }
        } catch {
            throw .network(error)
        }
        try ports.pass(.published)
        let (id, url) = (post?.id.text, post?.url)
        let cost = network.properties.costPerPostUSD
        let byHand = post == nil ? network.page(for: draft).map(Self.postByHand) : nil
        if let byHand { ports.report(.note(byHand)) }
        let receipt = try changedReceipt(record) { receipt in
            if let byHand { receipt.notes.append(byHand) }
            receipt.network = Receipt.Network(
                name: record.networkName, postID: id, postURL: url, estimatedCostUSD: cost)
            receipt.timings.post = seconds
        }
        let posted = try await ports.update(record) { row in
            row.state = .posted
            row.postID = id
            row.postURL = url
            row.receipt = receipt
        }
        try ports.pass(.posted)
        return posted
    }

    private func draft(_ record: PublicationRecord, isRepetition: Bool) -> Draft {
        var draft = Draft(
            key: Draft.Key("chirp-\(record.id)"), text: record.shareText ?? "", link: record.link ?? "",
            isRepetition: isRepetition)
        if let path = record.clipPath, let bytes = record.clipBytes, FileManager.default.fileExists(atPath: path) {
            let description = record.title.isEmpty ? record.words : record.title
            draft.attachment = Draft.Attachment(path: path, bytes: bytes, description: description)
        }
        return draft
    }

    private static func postByHand(_ page: String) -> Receipt.Note {
        Receipt.Note(code: "post-by-hand", text: "open this page to post it: \(page)")
    }
}
