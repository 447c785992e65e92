#!/usr/bin/env python3
"""The trim table: voices x levels x noises x signal-to-noise ratios, each between 1.5 s and 1.2 s of noise alone.

usage: trim.py CHIRP [--quick] [--recorded FOLDER]

Voices are synthesised by espeak-ng and, with --recorded, taken from recordings: FOLDER is searched for those of the Debian package
asterisk-core-sounds-en-wav (apt-get download it, dpkg-deb -x; no need to install it). No onset may be cut, no ending, and less than
0.3 s of silence may be left at either end from 12 dB on. Speech is what lies within 45 dB of its peak; of a recording, whose
last sounds fade into the room, nothing counts as lost that is more than 10 dB softer than the noise over it. Hum alone, of 50
and 60 Hz, must be refused. Needs numpy, espeak-ng and ffmpeg. Ends with 1 when a goal is missed.
"""
import argparse, concurrent.futures, glob, json, os, subprocess, sys, tempfile, wave
import numpy as np

RATE = 22050
VOICES = [("en-gb", 150, 40), ("en-us", 190, 60), ("en-gb+f3", 160, 70), ("de", 150, 30), ("fr+f2", 170, 60),
          ("en-us+m5", 130, 20)]
TEXTS = {"en": "Seven ships sailed slowly past the harbour, and she said she should have stayed.",
         "de": "Sieben Schiffe segelten langsam am Hafen vorbei, und sie sagte nichts.",
         "fr": "Sept navires passent lentement devant le port, et personne ne dit rien."}
LEVELS = [-6, -20, -40]
NOISES = ["white", "pink", "hum", "mains50", "mains60"]
RATIOS = [6, 12, 25, 40]
RECORDED = ["agent-loginok", "conf-onlyperson", "demo-congrats", "auth-thankyou", "vm-intro", "queue-thankyou",
            "ss-noservice", "tt-weasels", "privacy-prompt", "demo-abouttotry", "vm-goodbye", "im-sorry"]


def voice(folder, name, speed, pitch):
    path = os.path.join(folder, "voice.wav")
    subprocess.run(["espeak-ng", "-v", name, "-s", str(speed), "-p", str(pitch), "-w", path, TEXTS[name[:2]]],
                   check=True, capture_output=True)
    return speech(path)


def speech(path, longest=6):
    with wave.open(path) as file:
        rate = file.getframerate()
        samples = np.frombuffer(file.readframes(longest * rate), dtype="<i2") / 32768
    # The truth: from the first to the last sample within 45 dB of the peak.
    loud = np.nonzero(np.abs(samples) > np.max(np.abs(samples)) * 10 ** (-45 / 20))[0]
    return samples[loud[0]:loud[-1] + 1], rate


def hidden(samples, rate, ratio):
    """How much of a recording's ends is more than 10 dB softer than the noise, in seconds."""
    active = samples[np.abs(samples) > 0.02 * np.max(np.abs(samples))]
    least = 20 * np.log10(active.std()) - ratio - 10
    step = rate // 100
    count = len(samples) // step
    levels = 10 * np.log10(np.mean(samples[:count * step].reshape(count, step) ** 2, axis=1) + 1e-20)
    heard = np.nonzero(levels >= least)[0]
    return heard[0] / 100, (len(samples) - (heard[-1] + 1) * step) / rate


def mains(kind, count, rate):
    t = np.arange(count) / rate
    return sum(np.sin(2 * np.pi * int(kind[5:]) * h * t + h) / h for h in range(1, 11))


def noise(kind, count, rng, rate):
    if kind.startswith("mains"):
        return mains(kind, count, rate)
    if kind == "white":
        return rng.standard_normal(count)
    spectrum = np.fft.rfft(rng.standard_normal(count))
    frequency = np.fft.rfftfreq(count, 1 / rate)
    if kind == "pink":
        spectrum /= np.sqrt(np.maximum(frequency, 20))
        return np.fft.irfft(spectrum, count)
    # A fan and mains: brownish noise and the harmonics of 50 Hz.
    spectrum /= np.maximum(frequency, 40)
    t = np.arange(count) / rate
    hum = sum(np.sin(2 * np.pi * 50 * h * t + h) / h for h in (1, 2, 3, 5))
    base = np.fft.irfft(spectrum, count)
    return base / base.std() + hum


def row(job):
    chirp, folder, index, samples, rate, level, kind, ratio, name, isRecorded = job
    rng = np.random.default_rng(index)
    head, tail = int(1.5 * rate), int(1.2 * rate)
    clean = np.concatenate([np.zeros(head), samples, np.zeros(tail)])
    back = noise(kind, len(clean), rng, rate)
    active = samples[np.abs(samples) > 0.02 * np.max(np.abs(samples))]
    back *= active.std() / back.std() * 10 ** (-ratio / 20)
    mixed = clean + back
    mixed *= 10 ** (level / 20) / np.max(np.abs(mixed))
    path = os.path.join(folder, f"{index}.wav")
    result = encode(chirp, path, mixed, rate)
    label = f"{name:15} {level:4} dBFS {kind:7} {ratio:3} dB"
    if result.returncode:
        return label, ratio, None, None, None, result.stderr.strip()
    receipt = json.loads(result.stdout)
    start = receipt["trim"]["headSeconds"]
    end = len(mixed) / rate - receipt["trim"]["tailSeconds"]
    for each in (path, path + ".mp3"):
        os.unlink(each)
    before, after = 1.5 - start, end - (1.5 + len(samples) / rate)
    fades = hidden(samples, rate, ratio) if isRecorded else (0, 0)
    isLost = before + fades[0] < 0 or after + fades[1] < 0
    return label, ratio, before, after, isLost, ",".join(
        n["code"] for n in receipt["notes"] if n["code"] != "rumble-removed")


def encode(chirp, path, samples, rate):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.round(samples * 32767).astype("<i2").tobytes())
    return subprocess.run([chirp, "encode", path, "-o", path + ".mp3", "--json", "--progress", "none", "--jobs", "1"],
                          capture_output=True, text=True)


def hum_alone(chirp, folder):
    """How many hums of four seconds were not refused as nothing to hear."""
    missed = 0
    for kind in ("mains50", "mains60"):
        for level in (-6, -20, -40, -60):
            samples = mains(kind, 4 * RATE, RATE)
            result = encode(chirp, os.path.join(folder, "hum.wav"), samples / np.max(np.abs(samples)) * 10 ** (level / 20), RATE)
            missed += result.returncode != 65
            print(f"{kind} alone {level:4} dBFS: {result.stderr.strip().splitlines()[0] if result.returncode else 'MISSED'}")
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("chirp")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--recorded", metavar="FOLDER")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        missed = hum_alone(arguments.chirp, folder)
        voices = [(name, *voice(folder, name, speed, pitch), False)
                  for name, speed, pitch in (VOICES[:2] if arguments.quick else VOICES)]
        for name in RECORDED if arguments.recorded else []:
            path = glob.glob(os.path.join(glob.escape(arguments.recorded), "**", name + ".wav"), recursive=True)[0]
            voices.append((name, *speech(path), True))
        jobs = [(arguments.chirp, folder, number, samples, rate, level, kind, ratio, name, isRecorded)
                for number, (name, samples, rate, isRecorded, level, kind, ratio) in enumerate(
                    (*each, level, kind, ratio)
                    for each in voices for level in LEVELS for kind in NOISES for ratio in RATIOS)]
        lost, worst = 0, {ratio: [0, 0, 0] for ratio in RATIOS}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for label, ratio, before, after, isLost, notes in pool.map(row, jobs):
                isLong = before is not None and max(before, after) >= 0.3
                good = before is not None and not isLost and not (isLong and ratio >= 12)
                missed += not good
                if before is not None:
                    lost += isLost
                    worst[ratio] = [max(worst[ratio][0], before), max(worst[ratio][1], after), worst[ratio][2] + isLong]
                text = notes if before is None else f"kept before {before * 1000:5.0f} ms after {after * 1000:5.0f} ms {notes}"
                print(f"{label}: {text} {'' if good else 'MISSED'}", flush=True)
        for ratio, (before, after, long) in worst.items():
            print(f"{ratio:3} dB: at most {before * 1000:.0f} ms left before, {after * 1000:.0f} ms after, "
                  f"more than 300 ms in {long} of {len(jobs) // len(RATIOS)}")
        print(f"{len(jobs)} recordings, {missed} missed, {lost} of them lost speech")
    sys.exit(1 if missed else 0)


main()
