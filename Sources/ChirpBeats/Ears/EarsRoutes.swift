internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What a page needs to go over to another preview at the same bar and the same loudness.
struct EarsRoutes {
    let desk: BeatDesk

    var routes: [WebRoute] {
        [
            .api(
                .get, "\(BeatDesk.api)/:id/ears/:other", .everybody, scope: "read:statuses",
                summary: "Where another preview is at the same place of a bar, and how both are as loud"
            ) { request, context in
                try await desk.answering(request) {
                    let (own, other) = (try await desk.track(context), try await other(context))
                    guard let sound = own.item.clip?.sound, let others = other.item.clip?.sound else {
                        throw Problem.noTrack
                    }
                    let (beats, theirs) = (own.facts?.beats ?? [], other.facts?.beats ?? [])
                    let gains = EarsMap.gains(own.facts?.previewLoudness, other.facts?.previewLoudness)
                    let document = EarsDocument(
                        there: EarsMap(of: beats, seconds: sound.seconds, to: theirs, length: others.seconds),
                        back: EarsMap(of: theirs, seconds: others.seconds, to: beats, length: sound.seconds),
                        gains: gains)
                    return desk.answer(try .json(document), context)
                }
            }
        ]
    }

    private func other(_ context: WebContext) async throws -> Track {
        guard let id = context.parameters.get("other").flatMap({ HubID($0) }),
            case .track(let track) = try await desk.tracks.track(id, for: context.viewer)
        else { throw Problem.noTrack }
        return track
    }

    private struct EarsDocument: Encodable {
        /// Each piece: from, to and rate, as in ``EarsMap/Step``.
        let there, back: [[Double]]
        /// What each volume is multiplied by.
        let ownGain, otherGain: Double

        init(there: EarsMap, back: EarsMap, gains: (own: Double, other: Double)) {
            (self.there, self.back) = (Self.pieces(there), Self.pieces(back))
            (ownGain, otherGain) = gains
        }

        private static func pieces(_ map: EarsMap) -> [[Double]] {
            map.steps.map { step in [step.from, step.to, step.rate].map { ($0 * 1e5).rounded() / 1e5 } }
        }
    }
}
