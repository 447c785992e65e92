"""Sends a served hub pictures that are none, lie or are made to harm: each becomes three clean JPEGs or a refusal in words within 10
seconds and 512 MB, the server stays what it was and decodes nothing, and no byte that it serves says where a picture was taken
(boards.md 5.1.11).

Usage: pictures.py [PATHS...]: more files, or archives (.tar.gz) of which each file below a folder `images` is sent. With CHIRP_WHOLE
set the mutations are more. Needs Pillow, a C compiler, and uses exiftool where it is installed.
"""

import glob
import io
import json
import os
import random
import shutil
import statistics
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile
import zlib

from PIL import Image, PngImagePlugin

from household import PROGRAM, ROOT, SEED, WHOLE, Person, form, served

SECONDS, MEMORY = 10, 512 << 20


def patience():
    """How long an answer may take: 10 s, and on a machine that does other things too as much more as they take from it."""
    return SECONDS * max(1, os.getloadavg()[0] / (os.cpu_count() or 1))


CHILD = b"intake-child-for-pictures"
FIXTURES = os.path.join(ROOT, "Tests/Fixtures/pictures")
# What a picture is asked for by when it says who, where and with what it was taken.
SECRET = b"SECRETMAKER"
TRACES = [SECRET, b"Exif\0", b"GPS", b"http://ns.adobe.com", b"ICC_PROFILE", b"Photoshop", b"<?xpacket", b"<script", b"TRAILER"]


# The calls by which the libraries that the program is linked with decode, counted where the server makes one. A child has no
# environment, so that none of its calls are.
WATCH = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void note(const char *name) {
    int file = open(getenv("HOSTILE_NOTES"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0) return;
    if (write(file, name, strlen(name)) < 0 || write(file, "\n", 1) < 0) {}
    close(file);
}
#define WATCHED(name) \
    void *name(void *a, void *b, void *c, void *d, void *e, void *f) { \
        note(#name); \
        void *(*real)(void *, void *, void *, void *, void *, void *) = dlsym(RTLD_NEXT, #name); \
        return real(a, b, c, d, e, f); \
    }
WATCHED(jpeg_CreateDecompress)
WATCHED(jpeg_read_header)
WATCHED(jpeg_read_scanlines)
WATCHED(png_create_read_struct)
WATCHED(png_create_read_struct_2)
WATCHED(png_image_begin_read_from_memory)
WATCHED(png_image_finish_read)
"""
# Opened at run time, and by the child alone.
FOREIGN = ["libgif", "libwebp", "libde265", "libheif", "libavcodec", "libtiff", "libvips", "libMagick", "libopenjp2"]


def watch(folder):
    """The library that notes; gives its path."""
    source, library = f"{folder}/watch.c", f"{folder}/watch.so"
    with open(source, "w", encoding="utf-8") as file:
        file.write(WATCH)
    compiler = shutil.which("cc") or shutil.which("clang")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


class Children(threading.Thread):
    """Looks at the children of a process again and again, for the most memory that one has had."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.peak, self.space, self.time, self.isOver = process, 0, 0, 0.0, False
        self.limits, self.seen = set(), set()

    def run(self):
        while not self.isOver:
            for child in self.children():
                try:
                    self.look(child)
                except (OSError, IndexError, KeyError, StopIteration, ValueError):
                    pass
            time.sleep(0.002)

    def children(self):
        found = []
        for path in glob.glob(f"/proc/{self.process}/task/*/children"):
            try:
                with open(path, "rb") as file:
                    found += file.read().split()
            except OSError:
                pass
        return [int(child) for child in found]

    def look(self, child):
        with open(f"/proc/{child}/cmdline", "rb") as file:
            if CHILD not in file.read():
                return
        with open(f"/proc/{child}/status", encoding="ascii") as file:
            facts = dict(line.split(":", 1) for line in file if ":" in line)
        self.peak = max(self.peak, 1024 * int(facts["VmHWM"].split()[0]))
        self.space = max(self.space, 1024 * int(facts["VmPeak"].split()[0]))
        with open(f"/proc/{child}/stat", encoding="ascii") as file:
            used = file.read().rsplit(")", 1)[1].split()
        self.time = max(self.time, (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK"))
        if child not in self.seen:
            with open(f"/proc/{child}/limits", encoding="ascii") as file:
                line = next(line for line in file if line.startswith("Max address space"))
            self.limits.add(line.split()[3])
            self.seen.add(child)


# MARK: What is sent


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width, height, depth=8, colour=2, rows=b"", more=b"", interlaced=0):
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def zeros(count, level=9):
    """So many zeros, deflated, made without having them."""
    deflate, out, block = zlib.compressobj(level), [], bytes(1 << 20)
    for _ in range(count >> 20):
        out.append(deflate.compress(block))
    return b"".join(out) + deflate.compress(bytes(count & (1 << 20) - 1)) + deflate.flush()


def box(kind, content):
    return struct.pack(">I4s", 8 + len(content), kind) + content


def secretive():
    """Where it was taken, by whom, with what."""
    data = Image.Exif()
    data[271] = SECRET.decode()
    place = data.get_ifd(0x8825)
    place[1], place[2], place[3], place[4] = "N", (52.0, 31.0, 12.0), "E", (13.0, 24.0, 18.0)
    return data


def saved(picture, kind, **options):
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def noise(width, height):
    return Image.frombytes("RGB", (width, height), random.Random(SEED).randbytes(3 * width * height))


def bombs():
    """Small files that want much, by name."""
    yield "one-frame-30000x30000.png", png(30_000, 30_000, 1, 0, zeros(30_000 * 3751))
    yield "one-frame-30000x30000-rgba16.png", png(30_000, 30_000, 16, 6, zeros(64 << 20))
    yield "most-there-may-be.png", png(5000, 5000, 8, 2, zeros(5000 * 15_001))
    yield "most-there-may-be-rgba16-interlaced.png", png(5000, 5000, 16, 6, zeros(5000 * 40_001 + 80_000), interlaced=1)
    yield "one-column.png", png(1, 25_000_000, 8, 0, zeros(50_000_000))
    yield "one-row.png", png(25_000_000, 1, 8, 0, zeros(25_000_001))
    yield "text-of-a-gigabyte.png", png(8, 8, rows=zeros(200), more=chunk(b"zTXt", b"a\0\0" + zeros(1 << 30)))
    yield "colours-of-a-gigabyte.png", png(8, 8, rows=zeros(200), more=chunk(b"iCCP", b"a\0\0" + zeros(1 << 30)))
    yield "million-chunks.png", png(8, 8, rows=zeros(200), more=chunk(b"tEXt", b"a\0b") * 1_000_000)
    yield "more-rows-than-there-are.png", png(100, 100, rows=zeros(1 << 28))

    still = saved(Image.new("P", (96, 66)), "GIF")[:-1]
    frame = b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    yield "million-frames.gif", still + frame * 1_000_000 + b"\x3b"
    yield "million-comments-first.gif", still[:13] + still[13:13 + 768] + b"\x21\xfe\x01a\x00" * 1_000_000 + b"\x3b"
    yield "65535x65535.gif", still[:6] + struct.pack("<HH", 65535, 65535) + still[10:] + b"\x3b"
    # A code table that is begun anew at each pixel, over the most pixels that there may be.
    codes = b"\xff" + bytes([0x44] * 255)
    yield "much-for-little.gif", (
        b"GIF89a" + struct.pack("<HHBBB", 5000, 5000, 0x80, 0, 0) + bytes(6) + b"\x2c"
        + struct.pack("<HHHHB", 0, 0, 5000, 5000, 0) + b"\x02" + codes * 60_000 + b"\x00\x3b")

    scans = saved(noise(512, 512), "JPEG", progressive=True)
    start, end = scans.index(b"\xff\xda"), len(scans) - 2
    # The same empty refinement many times over.
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x3f\x10\x00"
    yield "hundred-thousand-scans.jpg", scans[:start] + scans[start:end] + scan * 100_000 + b"\xff\xd9"
    yield "most-there-may-be.jpg", saved(Image.new("RGB", (5000, 5000), "red"), "JPEG")
    yield "most-there-may-be-progressive.jpg", saved(
        noise(500, 500).resize((5000, 5000)), "JPEG", progressive=True, quality=60)
    whole = saved(Image.new("L", (64, 64)), "JPEG")
    at = whole.index(b"\xff\xc0")
    for name, size in [("65535x65535", (65535, 65535)), ("0x64", (0, 64)), ("65535x380", (65535, 380))]:
        yield f"{name}.jpg", whole[:at + 5] + struct.pack(">HH", *size) + whole[at + 9:]

    yield "16383x16383.webp", b"RIFF" + struct.pack("<I", 30) + b"WEBPVP8L" + struct.pack(
        "<IBI", 18, 0x2f, 16382 | 16382 << 14) + bytes(13)
    yield "most-there-may-be.webp", saved(Image.new("RGBA", (5000, 5000), (1, 2, 3, 4)), "WEBP", lossless=True)
    yield "noise.webp", saved(noise(1500, 1500), "WEBP", lossless=True, quality=0, method=0)
    frames = [Image.new("RGB", (64, 64), (number % 256, 0, 0)) for number in range(1000)]
    yield "thousand-frames.webp", saved(frames[0], "WEBP", save_all=True, append_images=frames[1:])
    yield "noise.png", saved(noise(2400, 2400), "PNG", compress_level=0)
    yield "noise.jpg", saved(noise(2000, 2000), "JPEG", quality=95)

    yield "boxes-in-boxes.heic", box(b"ftyp", b"heic\0\0\0\0mif1heic") + nested(b"meta", 100_000)
    yield "million-boxes.heic", box(b"ftyp", b"heic\0\0\0\0mif1heic") + box(b"free", b"") * 1_000_000
    yield "million-items.heic", box(b"ftyp", b"heic\0\0\0\0mif1heic") + box(
        b"meta", bytes(4) + box(b"pitm", bytes(4) + b"\0\1") + box(
            b"iinf", struct.pack(">II", 1 << 24, 1_000_000)
            + box(b"infe", struct.pack(">IHH4sB", 2 << 24, 1, 0, b"hvc1", 0)) * 500_000))


def nested(kind, depth):
    content = b""
    for _ in range(depth):
        content = struct.pack(">I4sI", 12 + len(content), kind, 0) + content if depth < 2000 else content
    if depth >= 2000:
        sizes = range(12 * depth, 0, -12)
        content = b"".join(struct.pack(">I4sI", size, kind, 0) for size in sizes)
    return content


def strangers():
    """Files that are no pictures, or more than one thing at once."""
    jpeg = saved(noise(200, 100), "JPEG", exif=secretive())
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("../../etc/passwd", "TRAILER")
        file.writestr("big", bytes(100 << 20))
    archive = held.getvalue()
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as file:
        info = tarfile.TarInfo("../../../evil.jpg")
        info.size = len(jpeg)
        file.addfile(info, io.BytesIO(jpeg))
    for name in ["archive.zip", "archive.jpg", "archive.png"]:
        yield name, archive
    yield "archive.tar.gz", held.getvalue()
    yield "archive.rar.png", b"Rar!\x1a\x07\x01\x00" + bytes(400)
    yield "archive.7z.jpg", b"7z\xbc\xaf\x27\x1c\0\4" + bytes(400)
    yield "picture-and-archive.jpg", jpeg + archive + b"TRAILER"
    yield "picture-and-page.gif", saved(Image.new("P", (9, 9)), "GIF") + b"<script>alert(1)</script>TRAILER"
    yield "picture-and-script.png", saved(noise(20, 20), "PNG") + b"<script>alert(1)</script>TRAILER"
    yield "script-in-comment.jpg", saved(noise(20, 20), "JPEG", comment="<script>alert(1)</script>TRAILER")
    playlist = b"#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nfile:///etc/passwd\nhttp://127.0.0.1:1/\n#EXT-X-ENDLIST\n"
    url = struct.pack(">I", 0) + b"file:///etc/passwd\0"
    film = box(b"ftyp", b"isom\0\0\2\0isommp41") + box(b"moov", box(b"trak", box(b"mdia", box(b"minf", box(
        b"dinf", box(b"dref", struct.pack(">II", 0, 1) + box(b"url ", url))))))) + box(b"mdat", playlist)
    yield "film-with-playlist.mp4", film
    yield "film-named-picture.heic", box(b"ftyp", b"heic\0\0\0\0mif1heic") + film[28:]
    yield "playlist.m3u8", playlist
    yield "playlist.png", playlist
    yield "concat.jpg", b"ffconcat version 1.0\nfile 'file:///etc/passwd'\n"
    yield "drawing.svg", b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;<script/></svg>'
    yield "drawing.mvg", b"push graphic-context\nviewbox 0 0 9 9\nfill 'url(https://127.0.0.1/\"|id\")'\npop graphic-context\n"
    yield "letter.eps", b"%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) (r) file showpage\n"
    yield "paper.pdf", b"%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n"
    for kind in ["BMP", "TIFF", "ICO", "TGA", "PCX", "PPM", "SGI", "JPEG2000", "AVIF"]:
        try:
            yield f"other.{kind.lower()}", saved(noise(32, 32), kind)
        except (KeyError, OSError):
            pass
    yield "nothing.jpg", b""
    yield "one-byte.jpg", b"\xff"
    yield "head-alone.jpg", b"\xff\xd8\xff"
    yield "zeros.jpg", bytes(1 << 20)
    yield "too-large.jpg", jpeg + bytes(20_000_001)


def placed():
    """Pictures that say where they were taken, in every way there is."""
    picture = noise(300, 200)
    xmp = (b"<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF><rdf:Description "
           b"exif:GPSLatitude='52,31.2N' exif:GPSLongitude='13,24.3E' maker='SECRETMAKER'/></rdf:RDF></x:xmpmeta><?xpacket end='w'?>")
    iptc = b"Photoshop 3.0\x008BIM\x04\x04\0\0" + struct.pack(">I", 16) + b"\x1c\x02\x5a\0\x0b" + SECRET
    jpeg = saved(picture, "JPEG", exif=secretive(), xmp=xmp, comment=SECRET)
    yield "placed.jpg", jpeg[:2] + b"\xff\xed" + struct.pack(">H", 2 + len(iptc)) + iptc + jpeg[2:]
    # Two of them, in both orders of bytes, and a thumbnail that is a picture of its own.
    little = saved(picture, "JPEG", exif=secretive())
    yield "placed-twice.jpg", little[:2] + jpeg[2:jpeg.index(b"\xff\xdb")] + little[2:]
    yield "placed-later.jpg", jpeg[:-2] + little[2:little.index(b"\xff\xdb")] + jpeg[-2:]
    text = PngImagePlugin.PngInfo()
    text.add_text("GPS", "52.52 13.405 SECRETMAKER")
    text.add_itxt("XML:com.adobe.xmp", xmp.decode(), zip=True)
    yield "placed.png", saved(picture, "PNG", exif=secretive(), pnginfo=text)
    yield "placed.webp", saved(picture, "WEBP", exif=secretive(), xmp=xmp)
    yield "placed.gif", saved(picture.quantize(16), "GIF", comment=SECRET + b" GPS 52.52 13.405")
    yield "placed-many.jpg", saved(picture, "MPO", save_all=True, append_images=[picture], exif=secretive())


def own():
    """The pictures of the tests."""
    for path in sorted(glob.glob(f"{FIXTURES}/*")):
        if os.path.splitext(path)[1] in (".jpg", ".png", ".gif", ".webp", ".heic", ".avif"):
            with open(path, "rb") as file:
                yield os.path.basename(path), file.read()


def mutations(count):
    """The tests' pictures, damaged: lengths at their bounds, parts that are doubled, left out, and of another picture."""
    dice, files = random.Random(SEED), list(own())
    bounds = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]
    for number in range(count):
        name, bytes_ = files[number % len(files)]
        changed = bytearray(bytes_)
        for _ in range(dice.randint(1, 6)):
            at, what = dice.randrange(max(1, len(changed))), dice.randrange(6)
            if what == 0:
                changed[at] ^= 1 << dice.randrange(8)
            elif what == 1:
                width = dice.choice([1, 2, 4])
                changed[at:at + width] = (dice.choice(bounds) & (1 << 8 * width) - 1).to_bytes(width, dice.choice(["big", "little"]))
            elif what == 2:
                del changed[at:at + dice.randint(1, 64)]
            elif what == 3:
                changed[at:at] = changed[at:at + dice.randint(1, 200)] * dice.choice([1, 2, 50])
            elif what == 4:
                other = dice.choice(files)[1]
                start = dice.randrange(len(other))
                changed[at:at] = other[start:start + dice.randint(1, 400)]
            else:
                del changed[dice.randrange(len(changed)) + 1:]
            changed = changed or bytearray(b"\0")
        yield f"mutation-{number}-of-{name}", bytes(changed)


def archived(path):
    """The test pictures of an archive of sources, or one file."""
    if not path.endswith((".tar.gz", ".tgz")):
        with open(path, "rb") as file:
            yield os.path.basename(path), file.read()
        return
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile() and "/images/" in member.name:
                yield member.name.split("/images/", 1)[1], archive.extractfile(member).read()


# MARK: What comes of it


class Tally:
    def __init__(self):
        self.made, self.refused, self.times, self.slowest, self.why = 0, 0, [], ("", 0.0), {}

    def note(self, name, answer):
        self.times.append(answer.seconds)
        self.slowest = max(self.slowest, (name, answer.seconds), key=lambda one: one[1])
        if answer.status == 201:
            self.made += 1
        else:
            self.refused += 1
            reason = reason_of(answer)
            self.why[reason] = self.why.get(reason, 0) + 1


def reason_of(answer):
    facts = answer.json
    return facts.get("detail") or next(iter((facts.get("errors") or {}).values()), None) or facts.get("title") or ""


def segments(jpeg):
    """The markers of a JPEG, up to its end; it has to be one, with nothing behind."""
    assert jpeg[:2] == b"\xff\xd8" and jpeg[-2:] == b"\xff\xd9", "no whole JPEG"
    found, at = [], 2
    while at < len(jpeg):
        assert jpeg[at] == 0xff, "something lies between the segments"
        marker = jpeg[at + 1]
        found.append(marker)
        at += 2
        if marker == 0xd9:
            assert at == len(jpeg), "something lies behind the picture"
            return found
        if marker == 0x01 or 0xd0 <= marker <= 0xd7:
            continue
        at += struct.unpack(">H", jpeg[at:at + 2])[0]
        if marker == 0xda:
            while not (jpeg[at] == 0xff and jpeg[at + 1] not in (0, *range(0xd0, 0xd8))):
                at += 1
    raise AssertionError("it does not end")


def clean(name, jpeg, side):
    """Fails for a served picture in which anything is but a picture."""
    allowed = {0xe0, 0xdb, 0xc4, 0xc0, 0xc2, 0xda, 0xd9, 0xdd}
    odd = set(segments(jpeg)) - allowed
    assert not odd, f"{name}: segments {[hex(one) for one in odd]}"
    with Image.open(io.BytesIO(jpeg)) as picture:
        picture.load()
        assert picture.format == "JPEG" and picture.mode == "RGB" and max(picture.size) <= side, f"{name}: {picture}"
        assert not picture.getexif() and set(picture.info) <= {
            "jfif", "jfif_version", "jfif_unit", "jfif_density", "progressive", "progression"}, f"{name}: {picture.info}"
    for trace in TRACES:
        assert len(trace) < 5 or trace not in jpeg, f"{name}: {trace}"


def check(hub, library, notes, paths):
    owner = hub.owner()
    token, process = owner.token, hub.process.pid
    children = Children(process)
    children.start()
    groups = [("bombs", bombs()), ("strangers", strangers()), ("places", placed()), ("own", own()),
              ("mutations", mutations(5000 if WHOLE else 150))]
    groups += [(os.path.basename(path), archived(path)) for path in paths]
    board = {"Authorization": f"Bearer {token}", "Content-Type": "application/octet-stream"}
    folder = os.path.join(hub.folder, "served")
    os.makedirs(folder)
    for group, files in groups:
        tally, number = Tally(), 0
        for name, content in files:
            number += 1
            # By turns through the address of the hub and that of the board.
            if number % 4:
                body, kind = form([("file", name.replace('"', ""), content)])
                headers = {"Authorization": f"Bearer {token}", "Content-Type": kind}
                answer = nobody(hub, "/api/hub/v1/pictures", body, headers)
            else:
                answer = nobody(hub, "/api/hub/v1/lost-and-found/pictures", content, board)
            assert answer.status in (201, 413, 422), f"{name}: {answer.status} {answer.text[:300]}"
            assert hub.isAlive, f"{name}: the server has ended"
            assert answer.seconds <= patience(), f"{name}: {answer.seconds:.1f} s"
            tally.note(name, answer)
            if answer.status == 201:
                for size, side in [("small", 320), ("medium", 800), ("large", 1600)]:
                    path = f"/pictures/{answer.json['id']}-{size}.jpg"
                    shown = owner.get(path)
                    assert shown.status == 200 and shown.headers["Content-Type"] == "image/jpeg", f"{name}: {shown.status}"
                    assert shown.headers["X-Content-Type-Options"] == "nosniff"
                    clean(name, shown.body, side)
                    if group == "places" or group not in ("mutations", "bombs"):
                        with open(f"{folder}/{group.split('.')[0]}-{number}-{size}.jpg", "wb") as file:
                            file.write(shown.body)
            else:
                reason = reason_of(answer)
                assert len(reason) > 10 and "/" not in reason.replace("and/or", ""), f"{name}: {reason!r}"
        times = sorted(tally.times)
        print(f"{group}: {number} files, {tally.made} pictures, {tally.refused} refused; median "
              f"{1000 * statistics.median(times):.0f} ms, slowest {tally.slowest[1]:.2f} s ({tally.slowest[0]})", flush=True)
        if os.environ.get("CHIRP_REASONS"):
            for reason, count in sorted(tally.why.items(), key=lambda one: -one[1]):
                print(f"    {count:5} {reason}")
    assert children.is_alive()
    children.isOver = True
    children.join()
    other_doors(hub)
    assert hub.process.pid == process and hub.isAlive
    assert owner.get("/health").status == 200
    assert children.seen and children.limits == {str(MEMORY)}, children.limits
    assert children.time <= SECONDS, children.time
    assert children.peak <= MEMORY and children.space <= MEMORY, (children.peak, children.space)
    with open(f"/proc/{process}/maps", encoding="utf-8") as file:
        maps = file.read()
    loaded = [name for name in FOREIGN if name in maps]
    assert not loaded, f"the server has opened {loaded}"
    assert os.path.basename(library) in maps and not os.path.exists(notes), "the server has decoded something itself"
    found = metadata(folder)
    print(f"children: {len(children.seen)} seen, {children.peak >> 20} MB and {children.time:.1f} s of a processor at most (limit {MEMORY >> 20} MB of addresses); the server "
          f"decoded nothing; metadata by exiftool: {found}")


def nobody(hub, path, body, headers):
    person = Person(hub)
    return person.ask("POST", path, body, headers)


def other_doors(hub):
    """The picture of a person comes in by a page of its own."""
    owner = hub.member("ann")
    page = owner.get("/settings/profile/picture").text
    token = page.split('name="token" value="', 1)[1].split('"', 1)[0]
    files = list(bombs())[:6] + list(strangers()) + list(placed()) + list(mutations(40))
    shown = 0
    for name, content in files:
        if len(content) > 8_000_000:
            continue
        body, kind = form([("token", None, token.encode()), ("picture", name, content)])
        answer = owner.ask("POST", "/settings/profile/picture", body, {"Content-Type": kind, "Origin": hub.url})
        assert answer.status in (303, 413, 422) and answer.seconds <= patience(), f"{name}: {answer.status}"
        if answer.status == 303:
            served_one = owner.get("/@ann/picture")
            assert served_one.status == 200, f"{name}: {served_one.status}"
            clean(name, served_one.body, 400)
            shown += 1
    print(f"picture of a person: {len(files)} files, {shown} taken")


def metadata(folder):
    """What exiftool says of everything that was served, beside what every JPEG has."""
    if not shutil.which("exiftool"):
        return "not looked at, exiftool is not installed"
    names = os.listdir(folder)
    told = subprocess.run(
        ["exiftool", "-j", "-G", "-n", "-u", folder], capture_output=True, text=True, check=True).stdout
    rows = json.loads(told)
    assert len(rows) == len(names), (len(rows), len(names))
    for row in rows:
        groups = {key.split(":")[0] for key in row if ":" in key}
        assert groups <= {"File", "JFIF", "ExifTool", "Composite"}, row
        assert not any("GPS" in key or "Comment" in key for key in row), row
    return f"{len(rows)} files looked at, none has any"


def main():
    with tempfile.TemporaryDirectory() as folder:
        library, notes = watch(folder), f"{folder}/notes"
        # What notes is tried first: a cover is decoded where the command runs.
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "sine=d=1", f"{folder}/a.wav"], check=True)
        subprocess.run(
            [PROGRAM, "encode", f"{folder}/a.wav", "-o", f"{folder}/a.mp3", "--cover", f"{FIXTURES}/1.jpg"], check=True,
            capture_output=True, env=os.environ | {"LD_PRELOAD": library, "HOSTILE_NOTES": notes})
        assert os.path.exists(notes), "the library that notes does not"
        os.remove(notes)
        served(lambda hub: check(hub, library, notes, sys.argv[1:]), library, HOSTILE_NOTES=notes)


main()
