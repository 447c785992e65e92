"""Recordings on a hub that has not been asked to listen to them: as if they had been sent and listened to."""

import hashlib
import io
import json
import os
import time
import wave

from hub import new_id


def recording():
    """A WAV of a tenth of a second."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(1600))
    return file.getvalue()


def listened(database, folder, seller, count):
    """So many of a seller's, who produces beats from then on; their ids. The hub's folder is `folder`."""
    sound, now = recording(), int(time.time() * 1000)
    findings = json.dumps({"milliseconds": 12_000, "description": [], "beats": [], "print": [], "probes": []})
    database.execute(
        "INSERT OR IGNORE INTO beatRoles (account, role, since) VALUES (?, 'producer', ?)", [seller, now - 30 * 86_400_000])
    os.makedirs(f"{folder}/films", exist_ok=True)
    masters = [new_id() for _ in range(count)]
    for master in masters:
        with open(f"{folder}/films/{master}-original.film", "wb") as file:
            file.write(sound)
        database.execute(
            """INSERT INTO films (id, owner, state, bytes, milliseconds, sound, created, received, track, findings)
            VALUES (?, ?, 'ready', ?, 12000, 1, ?, ?, 1, ?)""", [master, seller, len(sound), now, now, findings])
        database.execute(
            "INSERT INTO filmFiles (film, name, bytes, sha256) VALUES (?, 'original', ?, ?)",
            [master, len(sound), hashlib.sha256(sound).hexdigest()])
    return masters
