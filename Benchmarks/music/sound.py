"""Reads recordings, and asks the program under test what it hears in them."""
import json, subprocess

import numpy
import soundfile

RATE = 44100
NOTES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]


def decode(sources, target, *options):
    """Mono floats of one file, or of the mix of some."""
    words = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
    for source in sources:
        words += [*options, "-i", str(source)]
    if len(sources) > 1:
        words += ["-filter_complex", f"amix=inputs={len(sources)}:duration=longest:normalize=0"]
    subprocess.run([*words, "-ac", "1", "-ar", str(RATE), "-f", "f32le", str(target)], check=True)
    return numpy.fromfile(target, "<f4")


def length(path):
    """In seconds; 0 when it cannot be read."""
    try:
        return soundfile.info(path).duration
    except soundfile.SoundFileError:
        return 0


def cut(path, start, seconds):
    """A part of a recording, mixed to one channel, and its samples a second."""
    rate = soundfile.info(path).samplerate
    samples, rate = soundfile.read(path, start=int(start * rate), frames=int(seconds * rate), dtype="float32", always_2d=True)
    return samples.mean(1), rate


def heard(program, paths, rate=RATE):
    """A line for each file of floats: Tests/Tempi."""
    lines = []
    for start in range(0, len(paths), 50):
        result = subprocess.run([program, str(rate), *map(str, paths[start:start + 50])], capture_output=True, text=True, check=True)
        lines += [json.loads(line) for line in result.stdout.splitlines()]
    return lines


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|---|" + "---:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
