import ChirpBeats
import ChirpBoards
import ChirpCommunity
import Foundation
import HubHousehold
import Testing

/// How tracks are found: by kind, tempo, key and price, in words of the index (AR-2).
@Suite struct ShopTests {
    @Test(arguments: [
        (120, 120, ["120"]), (80, 139, ["80", "120", "128 or 64"]), (60, 70, ["128 or 64"]), (121, 127, []),
        (40, 240, ["80", "120", "128 or 64"]),
    ]) func `a range of tempos finds what may be within it`(_ from: Int, _ to: Int, _ titles: [String]) async throws {
        let cast = try await BeatCast()
        try await cast.offer("80", by: cast.pia, facts: BeatCast.facts(79.8))
        try await cast.offer("120", by: cast.rob, facts: BeatCast.facts(120.2))
        try await cast.offer("128 or 64", by: cast.pia, facts: BeatCast.facts(128, other: 64))
        try await cast.offer("none", by: cast.pia)
        let words = TrackWords.words(from: from, to: to)
        #expect(try await cast.found { $0.choices = [words] }.sorted() == titles.sorted())
        #expect(
            try await cast.found {
                $0.choices = [words]
                $0.author = cast.pia
            }.sorted() == titles.filter { $0 != "120" }.sorted(), "of one's author too")
    }

    @Test func `words of a range name each tempo once, and never more than the index takes`() {
        for from in TrackWords.tempos {
            for to in from...TrackWords.tempos.upperBound {
                let words = TrackWords.words(from: from, to: to)
                #expect(words.count <= 40)
                var beats: [Int] = []
                for word in words {
                    guard let number = Int(word.dropFirst(3)) else { continue }
                    beats += word.hasPrefix("zrn") ? Array(number * 10...number * 10 + 9) : [number]
                }
                #expect(beats == Array(from...to))
            }
        }
    }

    @Test func `a choice of no words finds nothing, and one of a word that could be a state neither`() async throws {
        let cast = try await BeatCast()
        try await cast.offer("Here", by: cast.pia, facts: BeatCast.facts(100))
        #expect(try await cast.found { $0.choices = [[]] }.isEmpty)
        #expect(try await cast.found { $0.choices = [["zsopen"]] }.isEmpty)
        #expect(try await cast.found { $0.choices = [["zrm100", "zrm7"], ["zrpoffer"]] } == ["Here"])
        #expect(try await cast.found { $0.choices = [["zrm100"], ["zrpfree"]] }.isEmpty)
    }

    @Test(arguments: [
        ("12", 1200), ("12.5", 1250), ("12,50", 1250), ("0.01", 1), ("1000000", 100_000_000),
    ]) func `an amount is read as it is typed`(_ text: String, _ amount: Int64) {
        #expect(TrackPrice.amount(typed: text, .eur) == amount)
    }

    @Test(arguments: [
        "", "0", "0.00", "-3", "12.345", "1.2.3", "1e5", "١٢", "1000000.01", "99999999", "12.", ".5", " 12",
    ]) func `what is no amount is none`(_ text: String) { #expect(TrackPrice.amount(typed: text, .eur) == nil) }

    @Test func `a currency without decimals takes none`() {
        #expect(TrackPrice.amount(typed: "1200", .jpy) == 1200)
        #expect(TrackPrice.amount(typed: "12.5", .jpy) == nil)
        #expect(TrackPrice.text(1205, .eur) == "12.05" && TrackPrice.text(1200, .jpy) == "1200")
    }

    @Test(arguments: [
        (TrackPrice.free, TrackPrice.Band.free), (.offer, .offer), (.amount(1999, .eur), .under20),
        (.amount(2000, .usd), .from20), (.amount(4999, .eur), .from20), (.amount(5000, .eur), .from50),
        (.amount(10_000, .eur), .from100), (.amount(99, .jpy), .from50),
    ]) func `a price is in one band`(_ price: TrackPrice, _ band: TrackPrice.Band) { #expect(price.band == band) }

    @Test func `keys know their relatives`() {
        let (c, a) = (Tonality(tonic: 0, isMinor: false), Tonality(tonic: 9, isMinor: true))
        #expect(c.relative == a && a.relative == c && c.relation(to: a) == .relative && a.relation(to: c) == .relative)
        #expect(c.relation(to: Tonality(tonic: 7, isMinor: false)) == .neighbour)
        #expect(c.relation(to: Tonality(tonic: 5, isMinor: false)) == .neighbour)
        #expect(c.relation(to: Tonality(tonic: 0, isMinor: true)) == .parallel)
        #expect(c.relation(to: Tonality(tonic: 6, isMinor: false)) == nil)
        for key in Tonality.allCases {
            #expect(key.relative.relative == key && Tonality(number: key.number) == key)
        }
        #expect(Set(Tonality.allCases.map(\.number)) == Set(0..<24))
        #expect(Tonality(number: 24) == nil && Tonality(number: -1) == nil)
    }

    @Test func `what is alike is of the same kind, with its reasons, and never first of the same author`() async throws
    {
        let cast = try await BeatCast()
        let minor = Tonality(tonic: 9, isMinor: true)
        let facts = BeatCast.facts(90, key: minor, description: [1, 0, 2])
        let one = try await cast.offer("One", by: cast.pia, facts: facts)
        try await cast.offer("Her own", by: cast.pia, facts: facts)
        try await cast.offer(
            "Near", by: cast.rob, facts: BeatCast.facts(91, key: minor.relative, description: [1, 0, 1.9]))
        try await cast.offer("Half", by: cast.rob, facts: BeatCast.facts(45, other: 90))
        try await cast.offer("Far", by: cast.rob, facts: BeatCast.facts(132, key: Tonality(tonic: 2, isMinor: false)))
        try await cast.offer("A voice", by: cast.ari, kind: .open, facts: facts)
        try await cast.offer("A draft", by: cast.rob, facts: facts) { $0.appears = false }
        let like = try await cast.tracks.like(
            try await cast.track(one, for: .visitor), by: .byFacts, for: .visitor)
        #expect(like.map(\.track.item.title) == ["Near", "Half", "Her own"])
        #expect(like.first?.reasons.contains(.tempo(90, 91)) == true)
        #expect(like.first?.reasons.contains(.key(minor, minor.relative, .relative)) == true)
        #expect(like.dropFirst().first?.reasons == [.tempo(90, 90)])
    }
}
