"""Whether the key of pieces is told, that stands in their scores."""
import json, pathlib

import numpy

from . import sound

PROFILES = ("bgate", "edma", "temperley")


def measure(options, kept):
    import essentia
    import essentia.standard
    import mir_eval.key
    essentia.log.infoActive = False
    folder = pathlib.Path(options.keys)
    truth = json.loads((folder / "truth.json").read_text())
    extractors = {profile: essentia.standard.KeyExtractor(profileType=profile) for profile in PROFILES}
    scores, costs, confidences = {}, [], []
    for name in sorted(truth):
        def rivals():
            samples, _ = sound.cut(folder / f"{name}.wav", 0, 60)
            return {profile: " ".join(extractor(samples)[:2]) for profile, extractor in extractors.items()}

        def ours():
            raw = kept.folder / f"{name}.f32"
            sound.cut(folder / f"{name}.wav", 0, 60)[0].tofile(raw)
            (line,) = sound.heard(options.program, [raw])
            raw.unlink()
            key = line["profile"]["key"]
            return {"key": f"{sound.NOTES[key['key']['tonic']]} {key['key']['mode']}", "confidence": key["confidence"],
                    "cost": line["nanoseconds"] * sound.RATE * 60 / 1e9}

        own = kept.value(f"{options.name}-keys", name, ours)
        found = {"ours": own["key"], **kept.value("essentia-keys", name, rivals)}
        right = f"{sound.NOTES[truth[name]['tonic']]} {truth[name]['mode']}"
        for one, key in found.items():
            scores.setdefault(one, []).append(mir_eval.key.weighted_score(right, key))
        costs.append(own["cost"])
        confidences.append(own["confidence"])
    names = sorted(truth)
    numbers = numpy.array([int(name.split("_")[1]) for name in names])
    kinds = numpy.array([name.split("_")[0] for name in names])
    groups = [(kind, kinds == kind) for kind in sorted(set(kinds))]
    groups += [("even numbers", numbers % 2 == 0), ("odd numbers", numbers % 2 == 1), ("all", numbers >= 0)]
    values = {one: numpy.array(all) for one, all in scores.items()}
    sound.table(["keys", "number", "ours", *(f"essentia {profile}" for profile in PROFILES)], [
        [group, str(chosen.sum()), *(f"{values[one][chosen].mean():.3f}" for one in ("ours", *PROFILES))] for group, chosen in groups])
    print()
    confidences = numpy.array(confidences)
    sound.table(["confidence", "number", "the same key"], [
        [f"{low} and more" if high > 1 else f"{low} to {high}", str(chosen.sum()), f"{100 * (values['ours'][chosen] == 1).mean():.1f} %"]
        for low, high in ((0.5, 2), (0.25, 0.5), (0, 0.25)) for chosen in [(confidences >= low) & (confidences < high)] if chosen.any()])
    print(f"\nseconds of a processor for a minute, tempo and description included: {max(costs):.2f}")
    return ["key beside essentia"] if values["ours"].mean() < max(values[one].mean() for one in PROFILES) else []
