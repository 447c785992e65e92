"""Checks the loopback X with tweepy: what it accepts and gives is what that client expects.

Usage: x_tweepy.py ADDRESSES, a file with the JSON that `loopback serve` prints.
"""

import json
import os
import sys

import requests
import tweepy


def redirect(base):
    """Lets every request to X go to the loopback service instead; tweepy knows no other address."""
    whole = requests.Session.request

    def request(self, method, url, *arguments, **named):
        for host in ("https://api.twitter.com", "https://api.x.com"):
            url = url.replace(host, base)
        return whole(self, method, url, *arguments, **named)

    requests.Session.request = request


def sign_in(base):
    """The authorization code flow with PKCE, and a refresh with rotation."""
    os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
    os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"
    handler = tweepy.OAuth2UserHandler(
        client_id="client-1",
        redirect_uri="http://127.0.0.1:8765/callback",
        scope=["tweet.read", "tweet.write", "users.read", "offline.access"],
    )
    page = handler.get_authorization_url().split("?", 1)[1]
    answer = requests.get(f"{base}/i/oauth2/authorize?{page}", allow_redirects=False, timeout=10)
    assert answer.status_code == 302, answer.text
    first = handler.fetch_token(answer.headers["Location"])
    second = handler.refresh_token(
        f"{base}/2/oauth2/token", refresh_token=first["refresh_token"], body="client_id=client-1"
    )
    assert second["refresh_token"] != first["refresh_token"], second
    return second["access_token"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        base = json.load(file)["x"]
    redirect(base)
    client = tweepy.Client(sign_in(base))

    me = client.get_me(user_auth=False).data
    assert me.username == "ada", me
    text = "Morning & more #Chirp https://clips.example/1"
    made = client.create_tweet(text=text, user_auth=False).data
    try:
        client.create_tweet(text=text, user_auth=False)
        raise AssertionError("a duplicate was not refused")
    except tweepy.Forbidden as error:
        assert "duplicate" in str(error), error

    fields = ["created_at", "author_id", "entities"]
    newest = client.get_users_tweets(me.id, max_results=5, tweet_fields=fields).data[0]
    assert str(newest.id) == made["id"] and newest.author_id == me.id, newest
    assert newest.entities["urls"][0]["expanded_url"] == "https://clips.example/1", newest.entities
    assert "&amp;" in newest.text and "t.co" in newest.text, newest.text

    query = f"#Chirp has:links (from:{me.id}) -is:retweet"
    found = client.search_recent_tweets(query, max_results=100, tweet_fields=fields, expansions=["author_id"])
    assert [str(post.id) for post in found.data] == [made["id"]], found
    assert found.includes["users"][0].username == "ada", found
    assert client.search_recent_tweets(query, since_id=made["id"]).data is None

    assert len(client.get_users_following(me.id, max_results=1000).data) == 3
    assert client.delete_tweet(made["id"], user_auth=False).data["deleted"] is True
    try:
        client.delete_tweet(made["id"], user_auth=False)
        raise AssertionError("deleting twice was not refused")
    except tweepy.NotFound:
        pass

    print("loopback X: tweepy agrees")


main()
