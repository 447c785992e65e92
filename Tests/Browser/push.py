"""Notices in browsers: the button, what stands in its way, and what the service worker shows. The service of the
browser's maker is not there, so the page's own call to it is replaced."""

import json
import subprocess

import harness
from harness import press, until

NAME = "hub.example.org"

# What a browser with a push service would do; the key is a point on P-256 (RFC 8291, section 5).
SERVICE = """
    let current = JSON.parse(localStorage.getItem("subscription") ?? "null");
    const made = (key) => ({
        options: { applicationServerKey: Uint8Array.from(key).buffer },
        toJSON: () => ({ endpoint: "https://push.example.net/one", keys: {
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            auth: "BTBZMqHH6r4Tts7J_aSIgg" } }),
        unsubscribe: async () => { localStorage.removeItem("subscription"); current = null; return true; },
    });
    PushManager.prototype.getSubscription = async () => current && made(current);
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey: key }) => {
        if (!userVisibleOnly || key.length !== 65 || key[0] !== 4) throw new Error("not what a service takes");
        current = [...key];
        localStorage.setItem("subscription", JSON.stringify(current));
        return made(current);
    };
    Notification.requestPermission = async () => (window.answer = "granted");
    Object.defineProperty(Notification, "permission", { get: () => window.answer ?? "default" });
"""


class SecureHub(harness.Hub):
    """A hub with a public name and a certificate of its own."""

    def start(self):
        self.url = f"https://{NAME}:{self.port}"
        files = [f"{self.folder}/certificate.pem", f"{self.folder}/key.pem"]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-out", files[0], "-keyout", files[1]],
            check=True, stderr=subprocess.DEVNULL)
        self.settings |= {
            "CHIRP_HUB_PUBLIC_URL": self.url, "CHIRP_HUB_TLS_CERTIFICATE": files[0], "CHIRP_HUB_TLS_KEY": files[1]}
        super().start()

    def reader(self, *scripts):
        """Somebody who is signed in, in a window that was told some scripts before."""
        arguments = [f"--host-resolver-rules=MAP {NAME} 127.0.0.1", "--ignore-certificate-errors"]
        page = self.window(self.browser(arguments=arguments))
        for script in scripts:
            page.add_init_script(script)
        self.sign_up("ann", page)
        return page


def secure(own_hub, folder):
    hub = SecureHub(own_hub.player, folder)
    own_hub.browsers.append(Ending(hub))
    return hub


class Ending:
    """Ends a hub with another one."""

    def __init__(self, hub):
        self.hub = hub

    def close(self):
        self.hub.end()


def test_a_press_has_this_browser_told_and_another_ends_it(own_hub, folder):
    hub = secure(own_hub, folder)
    page = hub.reader(SERVICE)
    page.goto(f"{hub.url}/settings")
    page.get_by_role("link", name="Notices in browsers").click()
    assert page.locator("[data-push-state]").text_content() == "This browser is told nothing."
    press(page, "Tell this browser")
    page.wait_for_url("**/settings/push?said=on")
    assert page.get_by_role("status").first.text_content() == "This browser is told from now on."
    page.get_by_text("(this one)").wait_for()
    assert page.locator("[data-push-state]").text_content() == "This browser is told until you sign out here."
    press(page, "Tell this browser nothing any more")
    page.wait_for_url("**/settings/push?said=ended")
    assert page.locator("[data-push-state]").text_content() == "This browser is told nothing."
    assert hub.api(page, "GET", "/api/hub/v1/push") == [200, []]


def test_what_stands_in_the_way_is_said_before_and_after_the_press(own_hub, folder):
    hub = secure(own_hub, folder)
    blocked = "Object.defineProperty(Notification, 'permission', { get: () => localStorage.getItem('way') ?? 'denied' });"
    page = hub.reader(blocked)
    page.goto(f"{hub.url}/settings/push")
    assert "blocks notices" in page.locator("[data-push-state]").text_content()
    assert not page.get_by_role("button", name="Tell this browser").is_visible()
    page.evaluate("localStorage.setItem('way', 'default')")
    page.add_init_script("Notification.requestPermission = async () => 'default';")
    page.reload()
    press(page, "Tell this browser")
    until(lambda: "was not answered" in page.get_by_role("alert").first.text_content(), what="the reason")
    page.add_init_script("Notification.requestPermission = async () => 'granted';"
                         "PushManager.prototype.subscribe = async () => { throw new Error('no service'); };")
    page.reload()
    press(page, "Tell this browser")
    until(lambda: "no service" in page.get_by_role("alert").first.text_content(), what="the reason")
    assert page.get_by_role("button", name="Tell this browser").is_enabled()


def test_a_hub_without_a_public_name_says_so(own_hub):
    page = own_hub.sign_up("ann")
    page.goto(f"{own_hub.url}/settings/push")
    page.get_by_text("This hub cannot tell browsers anything").wait_for()
    assert page.locator("[data-push]").count() == 0


def test_what_is_told_is_shown_whatever_it_is(own_hub):
    page = own_hub.sign_up("ann")
    page.context.grant_permissions(["notifications"], origin=own_hub.url)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wire = page.context.new_cdp_session(page)
    found = []
    wire.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    wire.send("ServiceWorker.enable")
    until(lambda: page.wait_for_timeout(20) or found, what="the worker")

    def told(text):
        wire.send("ServiceWorker.deliverPushMessage", {
            "origin": own_hub.url, "registrationId": found[0]["registrationId"], "data": text})

    def shown():
        return page.evaluate("""async () => (await (await navigator.serviceWorker.ready).getNotifications())
            .map(({ title, body, tag, data }) => ({ title, body, tag, path: data.path }))""")

    notice = {"title": "@bob writes to you", "body": NAME, "path": "/p/1", "tag": "one", "lang": "en"}
    told(json.dumps(notice))
    until(lambda: [one["title"] for one in shown()] == ["@bob writes to you"], what="the notice")
    assert shown() == [{"title": "@bob writes to you", "body": NAME, "tag": "one", "path": "/p/1"}]
    # The same again takes its place.
    told(json.dumps(notice))
    told("no JSON")
    until(lambda: sorted(one["title"] for one in shown()) == ["@bob writes to you", "Chirp"], what="the other one")
