#!/usr/bin/env python3
"""The trim table: voices x levels x noises x signal-to-noise ratios, each between 1.5 s and 1.2 s of noise alone.

usage: trim.py CHIRP [--quick]

No onset may be cut, no ending, less than 0.3 s of silence may be left at either end, and nothing may be empty. Needs numpy,
scipy is not needed, espeak-ng and ffmpeg are. Ends with 1 when a goal is missed.
"""
import argparse, concurrent.futures, json, os, subprocess, sys, tempfile, wave
import numpy as np

RATE = 22050
VOICES = [("en-gb", 150, 40), ("en-us", 190, 60), ("en-gb+f3", 160, 70), ("de", 150, 30), ("fr+f2", 170, 60),
          ("en-us+m5", 130, 20)]
TEXTS = {"en": "Seven ships sailed slowly past the harbour, and she said she should have stayed.",
         "de": "Sieben Schiffe segelten langsam am Hafen vorbei, und sie sagte nichts.",
         "fr": "Sept navires passent lentement devant le port, et personne ne dit rien."}
LEVELS = [-6, -20, -40]
NOISES = ["white", "pink", "hum"]
RATIOS = [12, 25, 40]


def voice(folder, name, speed, pitch):
    path = os.path.join(folder, "voice.wav")
    subprocess.run(["espeak-ng", "-v", name, "-s", str(speed), "-p", str(pitch), "-w", path, TEXTS[name[:2]]],
                   check=True, capture_output=True)
    with wave.open(path) as file:
        assert file.getframerate() == RATE
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2") / 32768
    # The truth: from the first to the last sample within 45 dB of the peak.
    loud = np.nonzero(np.abs(samples) > np.max(np.abs(samples)) * 10 ** (-45 / 20))[0]
    return samples[loud[0]:loud[-1] + 1]


def noise(kind, count, rng):
    if kind == "white":
        return rng.standard_normal(count)
    spectrum = np.fft.rfft(rng.standard_normal(count))
    frequency = np.fft.rfftfreq(count, 1 / RATE)
    if kind == "pink":
        spectrum /= np.sqrt(np.maximum(frequency, 20))
        return np.fft.irfft(spectrum, count)
    # A fan and mains: brownish noise and the harmonics of 50 Hz.
    spectrum /= np.maximum(frequency, 40)
    t = np.arange(count) / RATE
    hum = sum(np.sin(2 * np.pi * 50 * h * t + h) / h for h in (1, 2, 3, 5))
    base = np.fft.irfft(spectrum, count)
    return base / base.std() + hum


def row(job):
    chirp, folder, index, samples, level, kind, ratio, name = job
    rng = np.random.default_rng(index)
    head, tail = int(1.5 * RATE), int(1.2 * RATE)
    clean = np.concatenate([np.zeros(head), samples, np.zeros(tail)])
    back = noise(kind, len(clean), rng)
    active = samples[np.abs(samples) > 0.02 * np.max(np.abs(samples))]
    back *= active.std() / back.std() * 10 ** (-ratio / 20)
    mixed = clean + back
    mixed *= 10 ** (level / 20) / np.max(np.abs(mixed))
    path = os.path.join(folder, f"{index}.wav")
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.round(mixed * 32767).astype("<i2").tobytes())
    out = path + ".mp3"
    result = subprocess.run([chirp, "encode", path, "-o", out, "--json", "--progress", "none", "--jobs", "1"],
                            capture_output=True, text=True)
    label = f"{name:10} {level:4} dBFS {kind:6} {ratio:3} dB"
    if result.returncode:
        return label, None, None, result.stderr.strip()
    receipt = json.loads(result.stdout)
    start = receipt["trim"]["headSeconds"]
    end = len(mixed) / RATE - receipt["trim"]["tailSeconds"]
    for each in (path, out):
        os.unlink(each)
    return label, 1.5 - start, end - (1.5 + len(samples) / RATE), ",".join(
        n["code"] for n in receipt["notes"] if n["code"] != "rumble-removed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("chirp")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for name, speed, pitch in (VOICES[:2] if arguments.quick else VOICES):
            samples = voice(folder, name, speed, pitch)
            for level in LEVELS:
                for kind in NOISES:
                    for ratio in RATIOS:
                        jobs.append((arguments.chirp, folder, len(jobs), samples, level, kind, ratio, name))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for label, before, after, notes in pool.map(row, jobs):
                good = before is not None and 0 <= before < 0.3 and 0 <= after < 0.3
                missed += not good
                text = notes if before is None else f"kept before {before * 1000:5.0f} ms after {after * 1000:5.0f} ms {notes}"
                print(f"{label}: {text} {'' if good else 'MISSED'}", flush=True)
        print(f"{len(jobs)} recordings, {missed} missed")
    sys.exit(1 if missed else 0)


main()
