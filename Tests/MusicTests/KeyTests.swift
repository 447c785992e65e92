import ChirpMusic
import Foundation
import Testing

struct KeyTests {
    @Test(arguments: MusicalKey.all) func `the key of a cadence is told, with its relatives`(key: MusicalKey) throws {
        let found = try #require(try profile(of: MadeMusic.cadence(in: key, seconds: 8)).key)
        #expect(found.key == key, "\(found)")
        #expect(abs(found.cents) < 5, "\(found)")
        #expect(found.confidence > 0.1 && found.confidence <= 1, "\(found)")
        #expect(Set(found.alternatives.map(\.relation)) == [.relative, .parallel, .fifth])
        #expect(found.alternatives.allSatisfy { $0.fit <= found.fit && key.relation(to: $0.key) == $0.relation })
        #expect(zip(found.alternatives, found.alternatives.dropFirst()).allSatisfy { $0.fit >= $1.fit })
    }

    @Test(arguments: [-45.0, -30, 30, 45]) func `what is out of tune has its key and says by how much`(cents: Double)
        throws
    {
        for key in [MusicalKey(tonic: 2, mode: .major), MusicalKey(tonic: 9, mode: .minor)] {
            let found = try #require(try profile(of: MadeMusic.cadence(in: key, seconds: 8, cents: cents)).key)
            #expect(found.key == key, "\(found)")
            #expect(abs(found.cents - cents) < 5, "\(found)")
        }
    }

    @Test func `of two keys with the same notes it is the one in which music begins and ends`() throws {
        let (c, a) = (MusicalKey(tonic: 0, mode: .major), MusicalKey(tonic: 9, mode: .minor))
        let (d, e) = (MusicalKey(tonic: 2, mode: .minor), MusicalKey(tonic: 4, mode: .minor))
        let middle = [a, MusicalKey(tonic: 5, mode: .major), c, e, a, d, MusicalKey(tonic: 7, mode: .major), c]
        for key in [c, a] {
            let found = try #require(try profile(of: MadeMusic.chords([key] + middle + [key])).key)
            #expect(found.key == key, "\(found)")
            #expect(found.confidence > 0.25, "\(found)")
        }
    }

    @Test func `at 8 kHz the key is the same`() throws {
        let key = MusicalKey(tonic: 4, mode: .minor)
        #expect(try profile(of: MadeMusic.cadence(in: key, seconds: 8, rate: 8000), rate: 8000).key?.key == key)
    }

    @Test func `noise has no key to trust`() throws {
        let found = try profile(of: MadeMusic.noise(seconds: 20)).key
        #expect((found?.confidence ?? 0) < 0.1, "\(String(describing: found))")
    }

    @Test(arguments: [
        (0, MusicalKey.Mode.major, MusicalKey.Relation.same, 1.0), (7, .major, .fifth, 0.5), (5, .major, .fifth, 0.5),
        (9, .minor, .relative, 0.3), (0, .minor, .parallel, 0.2),
    ])
    func `relatives of C major are worth what the contest says`(
        tonic: Int, mode: MusicalKey.Mode, relation: MusicalKey.Relation, worth: Double
    ) {
        let (key, other) = (MusicalKey(tonic: 0, mode: .major), MusicalKey(tonic: tonic, mode: mode))
        #expect(key.relation(to: other) == relation && other.relation(to: key) == relation)
        #expect(key.worth(of: other) == worth)
    }

    @Test func `keys that have little in common are not related`() {
        let key = MusicalKey(tonic: 0, mode: .major)
        #expect(MusicalKey.all.count { key.relation(to: $0) != nil } == 5)
        #expect(key.relation(to: MusicalKey(tonic: 6, mode: .major)) == nil)
        #expect(key.worth(of: MusicalKey(tonic: 2, mode: .major)) == 0)
    }

    @Test func `a key counts its sharps with its relative and is read whatever its number`() throws {
        #expect(MusicalKey(tonic: 7, mode: .major).sharps == 1 && MusicalKey(tonic: 4, mode: .minor).sharps == 1)
        #expect(MusicalKey(tonic: 5, mode: .major).sharps == 11)
        #expect(MusicalKey.all.allSatisfy { $0.sharps == $0.relative.sharps && $0.relative.relative == $0 })
        let read = try JSONDecoder().decode(MusicalKey.self, from: Data(#"{"tonic":-5,"mode":"minor"}"#.utf8))
        #expect(read == MusicalKey(tonic: 7, mode: .minor) && "\(read)" == "G minor")
    }
}
