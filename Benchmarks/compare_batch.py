"""`Benchmarks/compare --batch`: 500 short recordings through every program, on all processors.

The limit is the encoder alone on all processors: the same audio, put together to a long file or two for each processor, and one
`lame` a processor at once. It starts once instead of 480 times and never waits for another. The folder is worked on in two halves, and
the limit is measured anew before every program, since the speed of a virtual machine changes from one minute to the next: what is
compared lies seconds apart. A ratio below 1 is the part of that limit that a program reaches. Two-pass programs need minutes, so
they get a part of the recordings.
"""

import os
import pathlib
import random
import shutil
import statistics
import subprocess
import time
import wave

FILES, BROKEN, PART, HALVES = 480, 20, 50, 2


def folder_of(tree, number):
    return tree / f"half-{number // 12 % HALVES}" / f"folder-{number % 12}"


def make_tree(inputs, tree):
    """480 cuts of 2 to 40 seconds out of speech and programme, and 20 files that are broken or no audio; always the same."""
    if (tree / "whole").exists():
        return
    shutil.rmtree(tree, ignore_errors=True)
    dice = random.Random(500)
    for number in range(FILES):
        source = inputs / ("speech-140s.wav" if number % 2 else "programme-10min.wav")
        folder = folder_of(tree, number)
        folder.mkdir(parents=True, exist_ok=True)
        with wave.open(str(source)) as whole:
            rate = whole.getframerate()
            length = int(min(dice.expovariate(1 / 12) + 2, 40) * rate)
            whole.setpos(dice.randrange(2 * rate, whole.getnframes() - 2 * rate - length))
            frames = whole.readframes(length)
            with wave.open(str(folder / f"{number}.wav"), "wb") as part:
                part.setparams(whole.getparams())
                part.writeframes(frames)
    for number in range(BROKEN):
        name = "wav" if number % 2 else "txt"
        (folder_of(tree, 6 * number) / f"broken-{number}.{name}").write_bytes(dice.randbytes(3000))
    (tree / "whole").write_text("")


def seconds_of(files):
    total = 0.0
    for file in files:
        with wave.open(str(file)) as sound:
            total += sound.getnframes() / sound.getframerate()
    return total


def make_limit(files, folder, cores):
    """The same audio for one `lame` a processor: a mono and a stereo file each, of equal work. Returns their names."""
    if (folder / "whole").exists():
        return [sorted(folder.glob(f"{core}-*.wav")) for core in range(cores)]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shares = [[0, {}] for _ in range(cores)]
    for file in sorted(files, key=lambda file: -file.stat().st_size):
        with wave.open(str(file)) as sound:
            share = min(shares, key=lambda share: share[0])
            share[0] += file.stat().st_size
            share[1].setdefault(sound.getparams()[:3], []).append(file)
    for core, (_, kinds) in enumerate(shares):
        for (channels, width, rate), parts in kinds.items():
            with wave.open(str(folder / f"{core}-{channels}.wav"), "wb") as whole:
                whole.setparams((channels, width, rate, 0, "NONE", ""))
                for part in parts:
                    with wave.open(str(part)) as sound:
                        whole.writeframes(sound.readframes(sound.getnframes()))
    (folder / "whole").write_text("")
    return make_limit(files, folder, cores)


def timed(command, files=None):
    """Wall and processor seconds of a command and its children; standard input is the list of files, ended by zeros."""
    before, start = os.times(), time.monotonic()
    feed = b"".join(str(file).encode() + b"\0" for file in files or [])
    ended = subprocess.run(command, input=feed, capture_output=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - start, cpu, ended


def run(work, chirp, normalizer, rounds):
    cores = os.cpu_count()
    tree, out = work / "halves", work / "out" / "batch"
    make_tree(work / "inputs", tree)
    halves = sorted(tree.glob("half-*"))
    sounds = {half: sorted(file for file in half.glob("*/*.wav") if file.name[0] != "b") for half in halves}
    part = sounds[halves[0]][:: len(sounds[halves[0]]) // PART][:PART]
    home = work / "home"

    def fresh():
        shutil.rmtree(out, ignore_errors=True)
        shutil.rmtree(home, ignore_errors=True)
        out.mkdir(parents=True)
        os.environ["XDG_STATE_HOME"] = str(home)

    def xargs(script, options=()):
        return ["xargs", "-0", "-P", str(cores), "-n", "1", "bash", "-c", script, "bash", *options]

    name = f'out={out}/$(basename "$1" .wav).mp3; '
    lame = xargs(name + 'exec lame --quiet -q 4 -b 128 "$1" "$out"')
    copy = xargs(name + 'exec ffmpeg -nostdin -loglevel error -y -i "$1" -c:a libmp3lame -b:a 128k -compression_level 4 "$out"')
    measure = 'm=$(ffmpeg -nostdin -hide_banner -i "$1" -af loudnorm=I=-16:TP=-1:LRA=11:print_format=json -f null - 2>&1 | sed -n "/^{/,/^}/p"); v() { printf %s "$m" | sed -nE "s/.*\\"$1\\" : \\"([^\\"]*)\\".*/\\1/p"; }; '
    apply = 'exec ffmpeg -nostdin -loglevel error -y -i "$1" -af "loudnorm=I=-16:TP=-1:LRA=11:linear=true:measured_I=$(v input_i):measured_TP=$(v input_tp):measured_LRA=$(v input_lra):measured_thresh=$(v input_thresh):offset=$(v target_offset)" -ar 44100 -c:a libmp3lame -b:a 128k -compression_level 4 "$out"'
    batch = [chirp, "batch", None, str(out), "--preset", "music", "--bitrate", "128", "-q"]
    programs = [
        ("xargs -P lame", lame, None),
        ("chirp batch", batch, None),
        ("chirp batch, no self-check", batch + ["--no-verify"], None),
        ("xargs -P ffmpeg (encodes only)", copy, part),
        ("xargs -P ffmpeg two-pass", xargs(name + measure + apply), part),
    ]
    if normalizer:
        words = f'exec {normalizer} "$1" -t -16 -tp -1 -c:a libmp3lame -b:a 128k -ar 44100 -f -q -o "$out"'
        programs.append(("xargs -P ffmpeg-normalize", xargs(name + words), part))
    alone = "for list; do for f in $list; do lame --quiet -q 4 -b 128 $f $f.mp3; done & done; wait"

    rows = {}
    for turn in range(rounds):
        for half in halves:
            for label, command, listed in programs:
                if listed and (turn > 0 or half is not halves[0]):
                    continue
                files = listed or sounds[half]
                shares = make_limit(files, work / "limit" / ("part" if listed else half.name), cores)
                limit = timed(["bash", "-c", alone, "bash", *(" ".join(map(str, share)) for share in shares)])
                audio = seconds_of(files)
                fresh()
                ours = command[0] == chirp
                if ours:
                    command = [str(half) if word is None else word for word in command]
                wall, cpu, ended = timed(command, None if ours else files)
                # Broken files are told by exit code 3.
                if ended.returncode != (3 if ours else 0):
                    raise SystemExit(f"compare: {label} ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[-600:]}")
                rows.setdefault("lame, one a processor", []).append((audio / limit[0], None, None))
                rows.setdefault(label, []).append((audio / wall, limit[0] / wall, limit[1] / cpu))
                if label == "chirp batch":
                    rows.setdefault("chirp batch, again", []).append((audio / timed(command)[0], None, None))
    everything = [file for files in sounds.values() for file in files]
    audio = seconds_of(everything)
    lines = [
        f"{cores} processors, {len(everything)} recordings of {audio / len(everything):.0f} s on average, {audio / 60:.0f} min in all, "
        f"and {BROKEN} files that are none; 128 kbps at quality 4; medians. {time.strftime('%Y-%m-%d')}.",
        "",
        "| program | x real time | part of the limit (min to max) | by processor time | runs |",
        "|---|---:|---:|---:|---:|",
    ]
    for label, samples in rows.items():
        speed = statistics.median(sample[0] for sample in samples)
        ratios = [sample[1:] for sample in samples if sample[1] is not None]
        ratio, cost = "", ""
        if ratios:
            walls = [wall for wall, _ in ratios]
            ratio = f"{statistics.median(walls):.3f} ({min(walls):.3f} to {max(walls):.3f})"
            cost = f"{statistics.median(cpu for _, cpu in ratios):.3f}"
        lines.append(f"| {label} | {speed:.0f} | {ratio} | {cost} | {len(samples)} |")
    return "\n".join(lines) + "\n"
