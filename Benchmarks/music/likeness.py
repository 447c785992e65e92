"""Whether what sounds alike is of the same track, and of the same album."""
import base64, math, pathlib

import numpy
import scipy.signal
import soundfile

from . import sound

KINDS = {".ogg", ".mp3", ".flac", ".wav", ".opus"}
# Of a piece, in seconds; a track has to have room for two that do not touch.
LENGTH = 30
SHORTEST = 65
# As in Sources/ChirpMusic/Likeness/DescriptionStatistics.swift.
PARTS = [(27, 1.5), (19, 1), (6, 0.5), (6, 0.6), (6, 0.6)]


def tracks(options, kept):
    """Of each album as many as are wanted: (album, name of the track, path, length), in the order of names."""
    result = []
    for album in sorted(path for path in pathlib.Path(options.music).iterdir() if path.is_dir()):
        chosen = 0
        for path in sorted(path for path in album.rglob("*") if path.suffix.lower() in KINDS and path.is_file()):
            if chosen == options.most:
                break
            name = str(path.relative_to(options.music))
            seconds = kept.value("lengths", name, lambda: sound.length(path))
            if seconds >= SHORTEST:
                result.append((album.name, name, path, seconds))
                chosen += 1
    return result


def pieces(options, kept):
    """Two of each track: (album, number of the track, path), its beginning and its end."""
    folder = kept.folder / "pieces"
    folder.mkdir(exist_ok=True)
    result = []
    for number, (album, name, path, seconds) in enumerate(tracks(options, kept)):
        for place, start in (("beginning", 2), ("end", seconds - LENGTH - 3)):
            target = folder / f"{number:03}-{place}.wav"

            def cut():
                soundfile.write(target, *sound.cut(path, start, LENGTH))
                return name

            kept.value("pieces", target.name, cut)
            result.append((album, number, target))
    return result


def bliss(path):
    import bliss_audio
    return list(bliss_audio.Song(str(path)).analysis)


class Musly:
    def __init__(self, method):
        import pymusly
        self.jukebox = pymusly.MuslyJukebox(method=method, decoder="none")

    def analysis(self, path):
        samples, rate = sound.cut(path, 0, LENGTH)
        # What it takes.
        common = math.gcd(rate, 22050)
        samples = scipy.signal.resample_poly(samples, 22050 // common, rate // common)
        track = self.jukebox.track_from_audiodata(samples.tolist())
        return base64.b64encode(self.jukebox.serialize_track(track)).decode()

    def likeness(self, analyses):
        """By its own distances."""
        tracks = [self.jukebox.deserialize_track(base64.b64decode(one)) for one in analyses]
        self.jukebox.set_style(tracks)
        ids = self.jukebox.add_tracks(tracks)
        pairs = list(zip(ids, tracks))
        return -numpy.array([self.jukebox.compute_similarity(pair, pairs) for pair in pairs])


def unit(vectors, weights=None):
    scaled = (vectors - vectors.mean(0)) / numpy.maximum(vectors.std(0, ddof=1), 1e-9)
    scaled = numpy.clip(scaled, -4, 4) * (1 if weights is None else weights)
    return scaled / numpy.linalg.norm(scaled, axis=1, keepdims=True)


def figures(likeness, tracks, albums, asked=None):
    """The shares of pieces whose nearest is of the same track, of the ten nearest of other tracks that are of the same album, and of all others that are.

    The nearest are looked for among all; asked are those whose shares are told.
    """
    likeness = likeness.copy()
    numpy.fill_diagonal(likeness, -numpy.inf)
    order = numpy.argsort(-likeness, axis=1, kind="stable")
    same, found, chance = [], [], []
    for index in range(len(tracks)) if asked is None else asked:
        same.append(tracks[order[index, 0]] == tracks[index])
        rest = [albums[other] == albums[index] for other in order[index] if tracks[other] != tracks[index] and other != index]
        if any(rest):
            found.append(numpy.mean(rest[:10]))
            chance.append(numpy.mean(rest))
    return numpy.mean(same), numpy.mean(found), numpy.mean(chance)


def measure(options, kept):
    found = pieces(options, kept)
    names = [path.name for _, _, path in found]
    numbers = [number for _, number, _ in found]
    albums = [album for album, _, _ in found]
    likenesses = {}
    own = []
    for path in (path for _, _, path in found):
        def hear():
            raw = path.with_suffix(".f32")
            samples, rate = sound.cut(path, 0, LENGTH)
            samples.tofile(raw)
            (line,) = sound.heard(options.program, [raw], rate)
            raw.unlink()
            return line["profile"]["description"]
        own.append(kept.value(options.name, path.name, hear))
    own = numpy.array(own)
    weights = numpy.concatenate([numpy.full(count, weight / count**0.5) for count, weight in PARTS])
    vectors = unit(own, weights)
    likenesses["ours"] = vectors @ vectors.T
    rivals = numpy.array([kept.value("bliss", name, lambda: bliss(path)) for name, (_, _, path) in zip(names, found)])
    likenesses["bliss-audio"] = -((rivals[:, None] - rivals[None]) ** 2).sum(2)
    scaled = unit(rivals)
    likenesses["bliss-audio, scaled as ours"] = scaled @ scaled.T
    for method in ("timbre", "mandelellis"):
        musly = Musly(method)
        analyses = [kept.value(f"musly-{method}", name, lambda: musly.analysis(path)) for name, (_, _, path) in zip(names, found)]
        likenesses[f"pymusly {method}"] = musly.likeness(analyses)
    print(f"{len(set(numbers))} tracks of {len(set(albums))} albums\n")
    rows = {}
    for half, asked in (("all", None), ("even", [i for i, n in enumerate(numbers) if n % 2 == 0]), ("odd", [i for i, n in enumerate(numbers) if n % 2])):
        for name, likeness in likenesses.items():
            rows[half, name] = figures(likeness, numbers, albums, asked)
    sound.table(["alike", "tracks asked", "same track nearest", "same album in 10", "chance", "times"], [
        [name, half, f"{100 * same:.1f} %", f"{100 * album:.1f} %", f"{100 * chance:.1f} %", f"{album / chance:.1f}"]
        for (half, name), (same, album, chance) in rows.items()])
    missed = []
    for half in ("all", "odd"):
        same, album, chance = rows[half, "ours"]
        best = [row for (other, name), row in rows.items() if other == half and name != "ours"]
        missed += [f"same track, {half}"] if same < 0.95 else []
        missed += [f"same album, {half}"] if album < 3 * chance else []
        missed += [f"beside others, {half}"] if any(row[0] > same or row[1] > album for row in best) else []
    return missed
