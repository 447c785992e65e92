"""Checks what is heard in music beside essentia, by the scores of mir_eval, and what sounds alike beside bliss-audio: made music whose
tempo, beats and key are known.

Usage: music.py ADDRESSES; the program is what CHIRP_TEMPI names, .build/release/tempi otherwise. The addresses are not used.
"""

import json
import os
import subprocess
import tempfile
import wave

import bliss_audio
import essentia
import essentia.standard
import mir_eval
import numpy

RATE = 44100
NOTES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
TEMPI = (72, 90, 100, 118, 128, 140, 150, 170)


def note(semitones, seconds, partials):
    """A tone above middle C that fades."""
    time = numpy.arange(int(seconds * RATE)) / RATE
    frequency = 261.6256 * 2 ** (semitones / 12)
    return sum(share * numpy.sin(2 * numpy.pi * frequency * (number + 1) * time) for number, share in enumerate(partials)) * numpy.exp(-2 * time)


def chords(tonic, mode, seconds, partials=(1, 0.5, 0.25, 0.12), length=1.0):
    """The chords of the first, fourth, fifth and first degree, over and over."""
    third = 4 if mode == "major" else 3
    sound = numpy.zeros(int(seconds * RATE))
    for number in range(int(seconds / length)):
        degree, middle = ((0, third), (5, third), (7, 4), (0, third))[number % 4]
        start = int(number * length * RATE)
        for semitones in (degree - 12, degree, degree + middle, degree + 7):
            tone = 0.08 * note(tonic + semitones, length, partials)[: len(sound) - start]
            sound[start:start + len(tone)] += tone
    return sound


def drums(tempo, seconds, random):
    """A bass drum on the first and third beat, a snare on the others, a hat on every half beat; and where the beats are."""
    sound = numpy.zeros(int(seconds * RATE))
    time = numpy.arange(int(0.2 * RATE)) / RATE
    bass = 0.6 * numpy.sin(2 * numpy.pi * 55 * time) * numpy.exp(-time / 0.06)
    beats = []
    half = 0
    while 0.1 + half * 30 / tempo < seconds - 0.3:
        start = 0.1 + half * 30 / tempo
        noise = random.uniform(-1, 1, len(time))
        hit = 0.1 * noise * numpy.exp(-time / 0.015)
        if half % 2 == 0:
            beats.append(start)
            hit = hit + (bass if half % 4 == 0 else 0.4 * noise * numpy.exp(-time / 0.04))
        place = int(start * RATE)
        sound[place:place + len(hit)] += hit
        half += 1
    return sound, numpy.array(beats)


def heard(program, folder, pieces):
    """What the program tells of each."""
    paths = []
    for number, samples in enumerate(pieces):
        paths.append(os.path.join(folder, f"{number}.f32"))
        samples.astype("<f4").tofile(paths[-1])
    lines = subprocess.run([program, str(RATE), *paths], capture_output=True, text=True, check=True).stdout.splitlines()
    profiles = [json.loads(line).get("profile") for line in lines]
    assert len(profiles) == len(pieces) and all(profiles), lines
    return profiles


def check_keys(program, folder):
    names = [(tonic, mode) for mode in ("major", "minor") for tonic in range(12)]
    pieces = [chords(tonic, mode, 8) for tonic, mode in names]
    extractor = essentia.standard.KeyExtractor()
    own, theirs = [], []
    for (tonic, mode), samples, profile in zip(names, pieces, heard(program, folder, pieces)):
        truth, key = f"{NOTES[tonic]} {mode}", profile["key"]["key"]
        own.append(mir_eval.key.weighted_score(truth, f"{NOTES[key['tonic']]} {key['mode']}"))
        theirs.append(mir_eval.key.weighted_score(truth, " ".join(extractor(samples.astype("f4"))[:2])))
    assert min(own) == 1 and numpy.mean(own) >= numpy.mean(theirs), (own, theirs)
    print(f"music: {len(names)} keys are told, score {numpy.mean(own):.2f}, essentia {numpy.mean(theirs):.2f}")


def check_tempi(program, folder):
    random = numpy.random.default_rng(3)
    made = [drums(tempo, 20, random) for tempo in TEMPI]
    scores, theirs = [], []
    for tempo, (samples, beats), profile in zip(TEMPI, made, heard(program, folder, [samples for samples, _ in made])):
        offered = (profile["tempo"]["beatsPerMinute"], profile["tempo"]["alternative"])
        assert any(abs(one / tempo - 1) <= 0.04 for one in offered), (tempo, offered)
        other = float(essentia.standard.RhythmExtractor2013(method="degara")(samples.astype("f4"))[0])
        theirs.append(other)
        # Whether somebody counts the half or the double is no property of the sound.
        assert any(abs(one * factor / other - 1) <= 0.04 for one in offered for factor in (0.5, 1, 2)), (offered, other)
        if abs(offered[0] / tempo - 1) <= 0.04:
            found = mir_eval.beat.trim_beats(numpy.array(profile["grid"]["beats"]))
            scores.append(mir_eval.beat.f_measure(mir_eval.beat.trim_beats(beats), found))
    assert len(scores) >= len(TEMPI) / 2 and min(scores) > 0.9, scores
    print(f"music: {len(TEMPI)} tempi are told as essentia does; {len(scores)} times the beats are where they are, F {min(scores):.2f} or more")


def check_likeness(program, folder):
    """Pieces of one track are nearest to each other, for us and for bliss-audio."""
    random = numpy.random.default_rng(5)
    sounds = [((1, 0.5, 0.25), 1.0, 90), ((1, 0, 0.33, 0, 0.2, 0, 0.14, 0, 0.11), 0.25, 140), ((1,), 2.0, None), ((1, 0.9, 0.8, 0.7, 0.6, 0.5), 0.5, 118)]
    pieces, tracks = [], []
    for track, (partials, length, tempo) in enumerate(sounds):
        for tonic in (0, 2):
            samples = chords(tonic, "minor" if track % 2 else "major", 15, partials, length)
            if tempo:
                samples = samples + drums(tempo, 15, random)[0]
            pieces.append(samples / numpy.abs(samples).max())
            tracks.append(track)
    own = numpy.array([profile["description"] for profile in heard(program, folder, pieces)])
    vectors = []
    for number, samples in enumerate(pieces):
        path = os.path.join(folder, f"{number}.wav")
        with wave.open(path, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes((samples * 32000).astype("<i2").tobytes())
        vectors.append(bliss_audio.Song(path).analysis)
    shares = {}
    for name, values in (("ours", own), ("bliss-audio", numpy.array(vectors))):
        scaled = (values - values.mean(0)) / numpy.maximum(values.std(0), 1e-9)
        distances = ((scaled[:, None] - scaled[None]) ** 2).sum(2)
        numpy.fill_diagonal(distances, numpy.inf)
        shares[name] = numpy.mean([tracks[nearest] == track for nearest, track in zip(distances.argmin(1), tracks)])
    assert shares["ours"] == 1 and shares["ours"] >= shares["bliss-audio"], shares
    print(f"music: the nearest is of the same track in {shares['ours']:.0%}, by bliss-audio in {shares['bliss-audio']:.0%}")


def main():
    essentia.log.infoActive = False
    program = os.environ.get("CHIRP_TEMPI", ".build/release/tempi")
    with tempfile.TemporaryDirectory() as folder:
        check_keys(program, folder)
        check_tempi(program, folder)
        check_likeness(program, folder)


main()
