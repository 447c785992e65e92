import Foundation

/// Words as people describe music with.
extension Vocabulary {
    private static let moods = [
        "dark", "happy", "sad", "calm", "hard", "soulful", "dreamy", "angry", "epic", "nostalgic", "romantic", "cold",
    ]
    private static let genres = [
        "trap", "drill", "boom bap", "house", "lo-fi", "afrobeat", "reggaeton", "techno", "soul", "rock", "dancehall",
    ]
    private static let sounds = ["piano", "guitar", "strings", "flute", "bells", "choir", "brass", "synth"]

    /// What a track is called, what is said of it, and its tags: a mood, a genre and now and then a word of its own.
    func track(using generator: inout some RandomNumberGenerator) -> (title: String, text: String, tags: [String]) {
        let mood = Self.moods.randomElement(using: &generator) ?? "dark"
        let genre = Self.genres.randomElement(using: &generator) ?? "trap"
        let sound = Self.sounds.randomElement(using: &generator) ?? "piano"
        let own = rareWord(using: &generator)
        var text = "A \(mood) \(genre) beat with \(sound)."
        for _ in 0..<Int.random(in: 5...25, using: &generator) { text += " \(rareWord(using: &generator))" }
        return (
            "\(mood.capitalized) \(genre) \(own)", text,
            [mood, genre] + (generator.next().isMultiple(of: 2) ? [sound] : [])
        )
    }
}
