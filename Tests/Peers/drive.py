"""Checks the loopback Drive with Google's own client: what it accepts and gives is what that client expects.

Usage: drive.py ADDRESSES, a file with the JSON that `loopback serve` prints.
"""

import hashlib
import io
import json
import os
import sys
import tempfile

import googleapiclient
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build_from_document
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaFileUpload, MediaIoBaseDownload

FOLDER = "application/vnd.google-apps.folder"


def service(addresses):
    """The client over the discovery document that it ships with, pointed at the loopback service."""
    documents = os.path.join(os.path.dirname(googleapiclient.__file__), "discovery_cache", "documents")
    with open(os.path.join(documents, "drive.v3.json"), encoding="utf-8") as file:
        document = json.load(file)
    document["rootUrl"] = addresses["drive"] + "/"
    document["baseUrl"] = addresses["drive"] + "/drive/v3/"
    document.pop("mtlsRootUrl", None)
    return build_from_document(document, credentials=Credentials(addresses["token"]))


def refused(call):
    """Status and reason of a call that must fail."""
    try:
        call.execute(num_retries=0)
    except HttpError as error:
        return error.resp.status, error.error_details[0]["reason"]
    raise AssertionError("it was not refused")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        drive = service(json.load(file))
    files = drive.files()

    quota = drive.about().get(fields="storageQuota(limit,usage)").execute()["storageQuota"]
    assert int(quota["usage"]) >= 0 and "limit" not in quota, quota
    assert refused(drive.about().get())[0] == 400

    ids = files.generateIds(count=3, space="drive", type="files").execute()["ids"]
    assert len(set(ids)) == 3, ids
    body = {"id": ids[0], "name": "Chirp", "mimeType": FOLDER, "appProperties": {"chirp": "root"}}
    assert files.create(body=body, fields="id").execute() == {"id": ids[0]}
    assert refused(files.create(body=body, fields="id")) == (409, "fileIdInUse")

    permission = {"type": "anyone", "role": "reader"}
    for _ in range(2):
        answer = drive.permissions().create(fileId=ids[0], body=permission, fields="id").execute()
        assert answer == {"id": "anyoneWithLink"}, answer
    query = f"mimeType = '{FOLDER}' and trashed = false and appProperties has {{ key='chirp' and value='root' }}"
    found = files.list(q=query, spaces="drive", fields="nextPageToken,files(id,name)").execute()
    assert found == {"files": [{"id": ids[0], "name": "Chirp"}]}, found

    for number, size in enumerate([0, 1, 262144, 1_000_000]):
        content = os.urandom(size)
        with tempfile.NamedTemporaryFile(suffix=".mp3") as file:
            file.write(content)
            file.flush()
            media = MediaFileUpload(file.name, mimetype="audio/mpeg", resumable=True, chunksize=262144)
            body = {"id": files.generateIds(count=1).execute()["ids"][0], "name": f"{number}.mp3", "parents": [ids[0]]}
            request = files.create(body=body, media_body=media, fields="id,size,md5Checksum,sha256Checksum,webViewLink")
            answer, steps = None, 0
            while answer is None:
                progress, answer = request.next_chunk()
                steps += 1
        assert answer["size"] == str(size) and steps >= size // 262144, (answer, steps)
        assert answer["md5Checksum"] == hashlib.md5(content).hexdigest(), answer
        assert answer["sha256Checksum"] == hashlib.sha256(content).hexdigest(), answer
        back = io.BytesIO()
        if size:
            download = MediaIoBaseDownload(back, files.get_media(fileId=answer["id"]), chunksize=1 << 20)
            finished = False
            while not finished:
                _, finished = download.next_chunk()
            assert back.getvalue() == content
        files.delete(fileId=answer["id"]).execute()
        assert refused(files.get(fileId=answer["id"])) == (404, "notFound")

    print("loopback Drive: google-api-python-client agrees")


main()
