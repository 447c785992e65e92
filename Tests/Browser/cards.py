"""A seller at somebody else's hub connects an account of her own at the payment service, comes back, and is paid by card (Docs/decisions/1802)."""

import harness
from beats import BOARD, got, is_a, licenses, music, notices, offers, pays
from board import looks, no_complaints, patient
from checkout import CardService
from harness import fill, press, until


def test_a_seller_connects_an_account_and_a_buyer_pays_there(player, folder, sound):
    cards = CardService()
    hub = cards.hub = harness.Hub(player, folder, sound, **cards.settings, **cards.connecting)
    try:
        return walk(hub, cards, folder)
    finally:
        hub.end()
        cards.end()


def stands(page, hub, state):
    """How somebody is paid by card, as her page says."""
    page.goto(f"{hub.url}{BOARD}/sales")
    return page.locator(f"[data-cards={state}]").count() == 1


def walk(hub, cards, folder):
    ada, bob = patient(hub.window()), patient(hub.window())
    hub.sign_up("ada", ada)
    hub.sign_up("bob", bob)
    is_a(ada, hub, "producer")
    song = music(f"{folder}/tide.wav", 12)
    track = offers(ada, hub, song, title="Low tide", text="Slow, and far away.", amount="12.50")
    licenses(ada, track, "WAV lease", "12.50")

    # From her sales to the service's pages, and back.
    assert stands(ada, hub, "none")
    looks(ada, "cards-1-none")
    ada.get_by_role("button", name="Go on to Stripe").click()
    ada.wait_for_url(lambda address: address.startswith(cards.url))
    assert len([one for one in cards.objects.values() if one["object"] == "account"]) == 1
    ada.go_back()
    assert stands(ada, hub, "begun")
    looks(ada, "cards-1-begun")
    press_on = ada.locator("[data-cards] form button.main").first
    press_on.click()
    ada.wait_for_url(lambda address: address.startswith(cards.url))
    ada.get_by_role("button", name="Fill in").click()
    ada.wait_for_url(lambda address: address.startswith(f"{hub.url}{BOARD}/sales"))
    assert ada.locator("[data-cards=ready]").count() == 1, ada.locator("main").inner_text()
    looks(ada, "cards-2-ready")
    accounts = [id for id, one in cards.objects.items() if one["object"] == "account"]
    assert len(accounts) == 1 and accounts[0] in ada.locator("[data-cards]").inner_text(), accounts
    until(lambda: notices(ada, hub).count("Buyers can pay you by card") == 1, 30, 0.3, "she is told, once")
    looks(ada, "cards-2-told")

    # A buyer pays at her account, not at the owner's.
    bob.goto(track)
    bob.get_by_role("link", name="Buy", exact=True).first.click()
    bob.wait_for_load_state()
    fill(bob, name="Bob Łaski")
    press(bob, "Go on to paying")
    pays(bob, cards)
    until(lambda: bob.locator("[data-sale-state=delivered]").count() or (bob.wait_for_timeout(300), bob.reload())[0], 60, what="the delivery")
    found = got(bob, hub, "Low tide", folder, "cards-3")
    assert open(song, "rb").read() in found.values(), list(found)
    assert cards.received == {accounts[0]: 1250}, cards.received

    # The service lets the account not be charged any more: she is told, and the next one pays by hand.
    cards.charge(accounts[0], False)
    until(lambda: notices(ada, hub).count("cannot pay you by card any more") == 1, 30, 0.3, "she is told that, too")
    assert notices(ada, hub).count("Buyers can pay you by card") == 1
    assert stands(ada, hub, "begun")
    bob.goto(track)
    bob.get_by_role("link", name="Buy", exact=True).first.click()
    bob.wait_for_load_state()
    fill(bob, name="Bob Łaski")
    press(bob, "Go on to paying")
    assert bob.url.startswith(f"{hub.url}{BOARD}/purchases/"), bob.url
    no_complaints(ada, bob)
    return f"{len(cards.asked)} calls to the payment service"
