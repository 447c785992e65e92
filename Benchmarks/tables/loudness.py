#!/usr/bin/env python3
"""The loudness table: speech and music at many lengths and levels, each made a clip and measured by ffmpeg's meter.

usage: loudness.py CHIRP [--quick] [--loudnorm] [--preset voice ...]

Every clip from 0.4 s on must be within 0.3 LU of -16 LUFS and, like all of them, at or below -1.0 dBTP. Beside it, with
--loudnorm, what ffmpeg's two-pass loudnorm makes of the same input. Needs numpy, ffmpeg and espeak-ng. Ends with 1 when a
goal is missed.
"""
import argparse, concurrent.futures, json, os, re, subprocess, sys, tempfile, wave
import numpy as np

RATE = 44100
LENGTHS = [0.2, 0.3, 0.41, 0.6, 1, 2, 2.9, 3.1, 10, 60]
LEVELS = [-50, -40, -30, -23, -12, -3, "clipped"]
TEXT = ("The birds were up before the town was. She opened the window, listened for a while, and wrote down what she "
        "heard: seven robins, one thrush, and far away a train that nobody was waiting for. ") * 6


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True)


def speech(folder, voice="en-gb", speed=160):
    path = os.path.join(folder, "speech.wav")
    run("espeak-ng", "-v", voice, "-s", str(speed), "-w", path, TEXT)
    out = os.path.join(folder, "speech44.wav")
    run("ffmpeg", "-v", "error", "-y", "-i", path, "-ar", str(RATE), "-ac", "1", out)
    with wave.open(out) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2") / 32768
    first = np.argmax(np.abs(samples) > 0.02)
    samples = samples[first:]
    return np.tile(samples, int(np.ceil(61 * RATE / len(samples))))


def music(seed=3):
    """Chords of plucked strings with a bass and a noise drum: transients, decay, dynamics."""
    rng = np.random.default_rng(seed)
    total = 61 * RATE
    out = np.zeros((2, total))
    beat = int(0.4 * RATE)
    roots = [220, 174.6, 261.6, 196]
    for index, start in enumerate(range(0, total - beat, beat)):
        length = min(3 * beat, total - start)
        t = np.arange(length) / RATE
        root = roots[(index // 8) % 4]
        loud = 0.4 + 0.6 * rng.random()
        for step in (1, 1.25, 1.5, 2):
            pan = rng.random()
            note = sum(np.sin(2 * np.pi * root * step * h * t + rng.random() * 6) / h ** 1.4 * np.exp(-t * (1.5 + h))
                       for h in range(1, 9)) * loud * 0.1
            out[0, start:start + length] += note * pan
            out[1, start:start + length] += note * (1 - pan)
        bass = np.sin(2 * np.pi * root / 4 * t) * np.exp(-t * 3) * 0.25
        out[:, start:start + length] += bass
        if index % 2 == 0:
            hit = rng.standard_normal((2, length)) * np.exp(-t * 60) * 0.35
            out[:, start:start + length] += hit
    return out


def meter(path):
    text = run("ffmpeg", "-hide_banner", "-nostats", "-i", path, "-af",
               "ebur128=peak=true:dualmono=true:framelog=verbose", "-f", "null", "-").stderr
    summary = text[text.rindex("Summary:"):]
    number = lambda pattern: float(re.search(pattern, summary).group(1).replace("-inf", "-999"))
    return number(r"I:\s+(-?[\d.]+|-inf) LUFS"), number(r"Peak:\s+(-?[\d.]+|-inf) dBFS")


def store(path, samples):
    samples = np.atleast_2d(samples)
    with wave.open(path, "wb") as file:
        file.setnchannels(samples.shape[0])
        file.setsampwidth(3)
        file.setframerate(RATE)
        values = np.clip(np.round(samples.T * 8388608), -8388608, 8388607).astype("<i4")
        file.writeframes(values.reshape(-1, 1).view(np.uint8).reshape(-1, 4)[:, :3].tobytes())


def levelled(samples, level, folder, name):
    """Brought to a loudness as ffmpeg measures it (short ones by their RMS), or driven 12 dB into full scale."""
    path = os.path.join(folder, name)
    if level == "clipped":
        peak = np.max(np.abs(samples))
        store(path, np.clip(samples / peak * 4, -1, 1))
        return path
    store(path, samples / np.max(np.abs(samples)) * 0.25)
    loudness, _ = meter(path)
    if loudness < -65:
        loudness = 10 * np.log10(np.mean(samples ** 2) * (0.25 / np.max(np.abs(samples))) ** 2)
    gain = 10 ** ((level - loudness) / 20)
    store(path, samples / np.max(np.abs(samples)) * 0.25 * gain)
    return path


def row(job):
    chirp, folder, kind, preset, length, level, samples, loudnorm = job
    name = f"{kind}-{preset}-{length}-{level}"
    path = levelled(samples[..., :int(length * RATE)], level, folder, name + ".wav")
    out = os.path.join(folder, name + ".mp3")
    result = subprocess.run([chirp, "encode", path, "-o", out, "--preset", preset, "--json", "--progress", "none",
                             "--jobs", "1"], capture_output=True, text=True)
    if result.returncode:
        return dict(name=name, error=result.stderr.strip())
    receipt = json.loads(result.stdout)
    loudness, peak = meter(out)
    line = dict(name=name, length=length, loudness=loudness, peak=peak, gain=receipt["level"]["gainDB"],
                limited=receipt["level"]["limitedDB"], own=receipt["level"].get("afterLUFS"),
                ownPeak=receipt["level"].get("truePeakDBTP"), notes=[n["code"] for n in receipt["notes"]],
                frames=receipt["clip"]["seconds"], render=receipt["timings"]["render"])
    if loudnorm:
        line["loudnorm"] = two_pass(path, os.path.join(folder, name + ".norm.mp3"))
    for each in (path, out):
        os.unlink(each)
    return line


def two_pass(path, out):
    goal = "loudnorm=I=-16:TP=-1:LRA=11"
    first = run("ffmpeg", "-hide_banner", "-nostats", "-i", path, "-af", goal + ":print_format=json", "-f", "null", "-")
    found = json.loads(first.stderr[first.stderr.rindex("{"):first.stderr.rindex("}") + 1])
    second = (f"{goal}:measured_I={found['input_i']}:measured_TP={found['input_tp']}:measured_LRA={found['input_lra']}"
              f":measured_thresh={found['input_thresh']}:offset={found['target_offset']}")
    result = subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-af", second, "-ar", str(RATE), "-b:a", "128k",
                             out], capture_output=True, text=True)
    if result.returncode:
        return None
    return meter(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("chirp")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--loudnorm", action="store_true")
    parser.add_argument("--preset", nargs="*", default=["voice", "music", "tiny"])
    arguments = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        signals = {"speech": speech(folder), "music": music()}
        jobs = [(arguments.chirp, folder, kind, preset, length, level, samples, arguments.loudnorm)
                for kind, samples in signals.items() for preset in arguments.preset
                for length in (LENGTHS[:-1] if arguments.quick else LENGTHS) for level in LEVELS]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for line in pool.map(row, jobs):
                if "error" in line:
                    print(f"{line['name']:34} FAILED {line['error']}")
                    missed += 1
                    continue
                good = line["peak"] <= -1.0 and (line["length"] < 0.4 or abs(line["loudness"] + 16) <= 0.3)
                missed += not good
                extra = ""
                if line.get("loudnorm"):
                    extra = f"  loudnorm {line['loudnorm'][0]:6.1f} LUFS {line['loudnorm'][1]:5.1f} dBTP"
                print(f"{line['name']:34} {line['loudness']:7.1f} LUFS {line['peak']:6.1f} dBTP  own "
                      f"{line['own'] if line['own'] is None else round(line['own'], 2)} {round(line['ownPeak'], 2)}  gain "
                      f"{line['gain']:6.2f} limited {line['limited']:5.2f} {'' if good else 'MISSED'} {extra} "
                      f"{','.join(n for n in line['notes'] if n not in ('rumble-removed', 'mixed-to-mono'))}", flush=True)
        print(f"{len(jobs)} clips, {missed} missed")
    sys.exit(1 if missed else 0)


main()
