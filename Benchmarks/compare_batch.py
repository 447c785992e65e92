"""`Benchmarks/compare --batch`: a folder of 500 short recordings through every program, on all processors.

The limit is the encoder alone on all processors: the same audio, put together to a long file or two for each processor, and one
`lame` a processor at once. It starts once instead of 480 times and never waits for another. It is measured anew before every
program. A ratio below 1 is the part of that limit that a program reaches. Two-pass programs need minutes, so they get a part of the folder, and
the comparison is by seconds of audio per second.
"""

import os
import pathlib
import random
import shutil
import statistics
import subprocess
import time
import wave

FILES, BROKEN, PART = 480, 20, 50


def make_tree(inputs, tree):
    """480 cuts of 2 to 40 seconds out of speech and programme, and 20 files that are broken or no audio; always the same."""
    if (tree / "whole").exists():
        return
    shutil.rmtree(tree, ignore_errors=True)
    dice = random.Random(500)
    for number in range(FILES):
        source = inputs / ("speech-140s.wav" if number % 2 else "programme-10min.wav")
        folder = tree / f"folder-{number % 12}"
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
        (tree / f"folder-{number % 12}" / f"broken-{number}.{name}").write_bytes(dice.randbytes(3000))
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
    tree, out = work / "batch", work / "out" / "batch"
    make_tree(work / "inputs", tree)
    files = sorted(tree.glob("*/*.wav"))
    sounds = [file for file in files if not file.name.startswith("broken")]
    part = sounds[:: len(sounds) // PART][:PART]
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
    programs = [
        ("xargs -P lame", lame, sounds, rounds),
        ("chirp batch", [chirp, "batch", str(tree), str(out), "--preset", "music", "--bitrate", "128", "-q"], None, rounds),
        (
            "chirp batch, no self-check",
            [chirp, "batch", str(tree), str(out), "--preset", "music", "--bitrate", "128", "-q", "--no-verify"], None, rounds,
        ),
        ("xargs -P ffmpeg (encodes only)", copy, sounds, 1),
        ("xargs -P ffmpeg two-pass", xargs(name + measure + apply), part, 1),
    ]
    if normalizer:
        words = f'exec {normalizer} "$1" -t -16 -tp -1 -c:a libmp3lame -b:a 128k -ar 44100 -f -q -o "$out"'
        programs.append(("xargs -P ffmpeg-normalize", xargs(name + words), part, 1))

    alone = "for list; do for f in $list; do lame --quiet -q 4 -b 128 $f $f.mp3; done & done; wait"
    shares = make_limit(sounds, work / "limit", cores)
    alone = ["bash", "-c", alone, "bash", *(" ".join(map(str, share)) for share in shares)]
    audio, part_audio = seconds_of(sounds), seconds_of(part)
    rows, limits = {}, []
    for turn in range(rounds):
        for label, command, listed, most in programs:
            if turn >= most:
                continue
            fresh()
            if most == rounds:
                # Just before, since the speed of a virtual machine changes within a round.
                wall, cpu, _ = timed(alone)
                limits.append(audio / wall)
                rows.setdefault("lame, one a processor", []).append((audio / wall, wall, cpu, 1.0))
            wall, cpu, ended = timed(command, listed)
            ours = label.startswith("chirp")
            # Broken files are told by exit code 3.
            if ended.returncode != (3 if ours else 0):
                raise SystemExit(f"compare: {label} ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[-600:]}")
            speed = (part_audio if listed is part else audio) / wall
            rows.setdefault(label, []).append((speed, wall, cpu, speed / limits[-1]))
            if label == "chirp batch":
                wall, cpu, _ = timed(command)
                rows.setdefault("chirp batch, again", []).append((audio / wall, wall, cpu, None))
    lines = [
        f"{cores} processors, {len(sounds)} recordings of {audio / len(sounds):.0f} s on average, {audio / 60:.0f} min in all, "
        f"and {BROKEN} files that are none; 128 kbps at quality 4. LAME's limit: {statistics.median(limits):.0f} x real time. "
        f"{time.strftime('%Y-%m-%d')}.",
        "",
        "| program | x real time | wall s | processor s | part of the limit (min to max) | runs |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for label, samples in rows.items():
        middle = [statistics.median(values) for values in zip(*[sample[:3] for sample in samples])]
        ratios = [sample[3] for sample in samples if sample[3] is not None]
        ratio = f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})" if ratios else ""
        lines.append(f"| {label} | {middle[0]:.0f} | {middle[1]:.2f} | {middle[2]:.2f} | {ratio} | {len(samples)} |")
    return "\n".join(lines) + "\n"
