"""Whether the tempo of songs is told, whose tempo map is the truth."""
import pathlib, time

from . import sound


def near(tempo, truth):
    return abs(tempo / truth - 1) <= 0.04


def measure(options, kept):
    import essentia.standard as essentia
    import mido
    rows, right, offered, rivals, costs = [], 0, 0, {"degara": 0, "percival": 0}, [0, 0]
    for notes in sorted(pathlib.Path(options.songs).rglob("notes.mid")):
        raw = kept.folder / f"{notes.parent.name}.f32"

        def measured():
            samples = sound.decode([notes.parent / "song.ogg", notes.parent / "guitar.ogg"], raw)
            (line,) = sound.heard(options.program, [raw])
            raw.unlink()
            start = time.process_time()
            degara = float(essentia.RhythmExtractor2013(method="degara")(samples)[0])
            seconds = (time.process_time() - start) / (len(samples) / sound.RATE / 60)
            tempo = line["profile"]["tempo"]
            return {"ours": tempo["beatsPerMinute"], "or": tempo["alternative"], "confidence": tempo["confidence"],
                    "cost": line["nanoseconds"] * sound.RATE * 60 / 1e9, "degara": degara, "degara cost": seconds,
                    "percival": float(essentia.PercivalBpmEstimator()(samples))}

        found = kept.value(f"{options.name}-songs", notes.parent.name, measured)
        track = [message for track in mido.MidiFile(notes).tracks for message in track if message.type == "set_tempo"]
        truth = mido.tempo2bpm(track[0].tempo)
        rows.append([notes.parent.name, f"{truth:g}"] + [f"{found[key]:.2f}" for key in ("ours", "or", "confidence", "degara", "percival")])
        right += near(found["ours"], truth)
        offered += near(found["ours"], truth) or near(found["or"], truth)
        for name in rivals:
            rivals[name] += near(found[name], truth)
        costs = [max(costs[0], found["cost"]), max(costs[1], found["degara cost"])]
    sound.table(["song", "truth", "found", "or", "confidence", "essentia degara", "percival"], rows)
    print(f"\nright {right}, among the two {offered}, of {len(rows)}; essentia right: {rivals}; seconds of a processor for a minute: "
          f"{costs[0]:.2f}, essentia {costs[1]:.2f}")
    missed = []
    if right < len(rows) - 1 or offered < len(rows):
        missed.append("tempo")
    if right < max(rivals.values()):
        missed.append("tempo beside essentia")
    if costs[0] > 0.5:
        missed.append("time of tempo")
    return missed
