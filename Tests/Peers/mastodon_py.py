"""Checks the loopback Mastodon with Mastodon.py: what it accepts and gives is what that client expects.

Usage: mastodon_py.py ADDRESSES, a file with the JSON that `loopback serve` prints.
"""

import json
import sys

from mastodon import Mastodon, MastodonAPIError, MastodonNotFoundError, MastodonUnauthorizedError


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        addresses = json.load(file)
    base = addresses["mastodon"]

    client_id, client_secret = Mastodon.create_app("Chirp", api_base_url=base, scopes=["read", "write"])
    assert client_id and client_secret

    def client(token):
        return Mastodon(access_token=token, api_base_url=base, version_check_mode="none")

    api = client(addresses["mastodonToken"])
    me = api.account_verify_credentials()
    assert me.acct == "ada", me
    try:
        client("wrong").account_verify_credentials()
        raise AssertionError("a wrong token was not refused")
    except MastodonUnauthorizedError:
        pass

    text = "Morning #Chirp https://clips.example/1?a=1&b=2"
    post = {"visibility": "unlisted", "language": "en", "spoiler_text": "loud", "idempotency_key": "chirp-1"}
    first = api.status_post(text, **post)
    assert api.status_post(text, **post).id == first.id
    assert first.visibility == "unlisted" and first.spoiler_text == "loud", first
    assert 'href="https://clips.example/1?a=1&amp;b=2"' in first.content, first.content
    assert [tag.name for tag in first.tags] == ["chirp"], first.tags
    try:
        api.status_post("x" * 501)
        raise AssertionError("a text that is too long was not refused")
    except MastodonAPIError:
        pass

    second = api.status_post("second", idempotency_key="chirp-2")
    assert [str(status.id) for status in api.timeline_home(min_id=first.id)] == [str(second.id)]
    assert [str(status.id) for status in api.account_statuses(me)] == [str(second.id), str(first.id)]

    following = api.account_following(me, limit=80)
    assert len(following) == 80
    assert len(api.fetch_remaining(following)) == 100

    media = api.media_post(b"ID3", mime_type="audio/mpeg", description="A horn", file_name="clip.mp3", synchronous=True)
    attached = api.status_post("with sound", media_ids=[media])
    assert attached.media_attachments[0].type == "audio", attached

    assert api.status_update(second, "edited").id == second.id
    api.status_delete(second)
    try:
        api.status_delete(second)
        raise AssertionError("deleting twice was not refused")
    except MastodonNotFoundError:
        pass

    print("loopback Mastodon: Mastodon.py agrees")


main()
