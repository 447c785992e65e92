"""Compares signatures of requests to S3 with botocore's: thousands of requests, from a seed that is told, with names, queries, fields
and keys of all kinds.

Usage: s3.py ADDRESSES; the addresses are not used.
"""

import datetime
import hashlib
import json
import os
import random
import string
import subprocess
import time
from unittest import mock

from botocore import auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

COUNT = 3000
UNRESERVED = string.ascii_letters + string.digits + "-._~"


def encoded(random, most):
    """Text of an address as a client writes it: all but unreserved characters in percent form."""
    letters = [random.choice(UNRESERVED + " +&=%äß語/$'()*") for _ in range(random.randint(1, most))]
    return "".join(
        letter if letter in UNRESERVED else "".join("%%%02X" % byte for byte in letter.encode()) for letter in letters)


def question(random):
    host = random.choice(["s3.example", "clips.s3.example", "127.0.0.1:9000", "s3.example:443", "[::1]:9000"])
    path = "/" + "/".join(encoded(random, 12) for _ in range(random.randint(1, 4)))
    names = random.sample(["uploads", "uploadId", "partNumber", "prefix", "list-type", "continuation-token", "A", "a"],
                          random.randint(0, 4))
    query = "&".join(f"{name}={encoded(random, 20) if random.random() < 0.8 else ''}" for name in names)
    body = random.randbytes(random.randint(0, 100))
    moment = datetime.datetime(2000, 1, 1) + datetime.timedelta(seconds=random.randint(0, 10**9))
    instant = moment.strftime("%Y%m%dT%H%M%SZ")
    fields = [("x-amz-content-sha256", hashlib.sha256(body).hexdigest()), ("X-Amz-Date", instant)]
    if random.random() < 0.5:
        fields.append(("Content-Type", random.choice(["audio/mpeg", "application/xml; charset=utf-8"])))
    if random.random() < 0.5:
        fields.append(("x-amz-meta-title", random.choice(["a  clip ", " take 1", "x"])))
    if random.random() < 0.3:
        fields.append(("If-None-Match", "*"))
    return moment, body, {
        "method": random.choice(["GET", "HEAD", "PUT", "POST", "DELETE"]),
        "address": f"https://{host}{path}" + ("?" + query if query else ""),
        "fields": [{"name": name, "value": value} for name, value in fields], "hash": fields[0][1], "instant": instant,
        "region": random.choice(["us-east-1", "eu-central-1", "auto"]),
        "id": "AKID" + "".join(random.choices(string.ascii_uppercase, k=12)),
        "secret": "".join(random.choices(string.ascii_letters + string.digits + "+/", k=40)),
    }


def theirs(moment, body, asked):
    request = AWSRequest(asked["method"], asked["address"], data=body)
    for field in asked["fields"]:
        if field["name"] not in ("X-Amz-Date", "x-amz-content-sha256"):
            request.headers[field["name"]] = field["value"]
    signer = auth.S3SigV4Auth(Credentials(asked["id"], asked["secret"]), "s3", asked["region"])
    request.context["payload_signing_enabled"] = True
    with mock.patch.object(auth, "get_current_datetime", lambda *_, **__: moment):
        signer.add_auth(request)
    return request.headers["Authorization"]


def main():
    seed = int(os.environ.get("CHIRP_TEST_SEED", time.time_ns() // 1_000_000))
    source = random.Random(seed)
    program = os.environ.get("CHIRP_LOOPBACK", ".build/release/loopback")
    signer = subprocess.Popen([program, "sign"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for number in range(COUNT):
        moment, body, asked = question(source)
        signer.stdin.write(json.dumps(asked) + "\n")
        signer.stdin.flush()
        ours = signer.stdout.readline().strip()
        expected = theirs(moment, body, asked)
        assert ours == expected, f"CHIRP_TEST_SEED={seed}, request {number}: {asked}\n{ours}\n{expected}"
    signer.stdin.close()
    assert signer.wait() == 0
    print(f"s3: {COUNT} signatures like botocore's (CHIRP_TEST_SEED={seed})")


main()
