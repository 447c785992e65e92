"""Passkeys with Chromium's own authenticator, which was not written here: added with the password, and signing in without one."""

import harness
from harness import PASSWORD, press

DEVICE = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class NamedHub(harness.Hub):
    """A hub with a name, which passkeys are for; of those that need no certificate browsers know one."""

    def start(self):
        self.url = f"http://localhost:{self.port}"
        self.settings |= {"CHIRP_HUB_PUBLIC_URL": self.url}
        super().start()


class Ending:
    """Ends a hub with another one."""

    def __init__(self, hub):
        self.hub = hub

    def close(self):
        self.hub.end()


def named(own_hub, folder):
    hub = NamedHub(own_hub.player, folder)
    own_hub.browsers.append(Ending(hub))
    return hub


def device(page, **facts):
    """Gives the window's browser an authenticator; returns how it is spoken to, and by which name."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    return session, session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE | facts})["authenticatorId"]


def alert(page):
    return page.get_by_role("alert").first


def add(hub, page):
    page.goto(f"{hub.url}/settings/account/passkeys")
    page.fill("#name", "telephone")
    page.fill("#password-add", PASSWORD)
    press(page, "Add a passkey")


def test_a_passkey_is_added_and_signs_in_without_a_password(own_hub, folder):
    hub = named(own_hub, folder)
    page = hub.sign_up("ann")
    session, name = device(page)
    add(hub, page)
    page.wait_for_url("**/settings/account/passkeys?said=added")
    page.get_by_text("telephone", exact=True).wait_for()
    assert len(session.send("WebAuthn.getCredentials", {"authenticatorId": name})["credentials"]) == 1
    # The same device twice.
    add(hub, page)
    alert(page).get_by_text("has a passkey for this account already").wait_for()
    page.goto(f"{hub.url}/signout")
    press(page, "Sign out")
    page.goto(f"{hub.url}/signin?to=/settings")
    press(page, "Sign in with a passkey")
    press(page, "Sign in")
    page.wait_for_url("**/settings")
    page.goto(f"{hub.url}/settings/account/passkeys")
    page.get_by_text("last used").wait_for()
    page.get_by_label("Your password now").first.fill(PASSWORD)
    press(page, "Remove telephone")
    page.wait_for_url("**/settings/account/passkeys?said=removed")
    page.goto(f"{hub.url}/signout")
    press(page, "Sign out")
    page.goto(f"{hub.url}/signin/passkey")
    press(page, "Sign in")
    alert(page).get_by_text("This passkey signs nobody in here").wait_for()


def test_a_device_that_does_not_know_its_owner_adds_nothing(own_hub, folder):
    hub = named(own_hub, folder)
    page = hub.sign_up("ann")
    device(page, isUserVerified=False)
    add(hub, page)
    alert(page).get_by_text("No passkey was given").wait_for()
    page.reload()
    page.get_by_text("You have none yet").wait_for()
