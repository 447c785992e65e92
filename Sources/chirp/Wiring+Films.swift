import ChirpAudio
import ChirpCodecs
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpIntake

extension Wiring {
    /// Makes what is shown of films, in a child for each; nil where the programs for it are not installed.
    func filmIntake() -> FilmIntake? {
        guard Intake.takesFilms else { return nil }
        let intake = intake
        return FilmIntake { order throws(ClipIntake.Failure) in
            func goal(_ file: HubFilm.File) -> String { order.goals[file] ?? "" }
            let goals = FilmGoals(
                shown: goal(.shown), plain: goal(.plain), sound: goal(.sound), preview: goal(.preview),
                poster: goal(.poster))
            do throws(AudioError) {
                let facts = try await offPool { () throws(AudioError) in
                    try intake.film(of: order.input, to: goals, timer: order.timer, name: order.name)
                }
                return HubFilm.Facts(
                    milliseconds: facts.milliseconds, width: facts.width, height: facts.height,
                    hasSound: facts.hasSound, hasTimer: facts.hasTimer)
            } catch {
                throw error.ofClip
            }
        }
    }
}
