// Passkeys: the form that adds one, and the one that signs in. What an authenticator says goes into the form's hidden fields, and the form is sent
// as any other.
import { call } from "./api.js";
import { word } from "./words.js";
import { say, warn } from "./say.js";

const form = document.querySelector("form[data-passkey]");

function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function text(buffer) {
  if (!buffer) return "";
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function add() {
  const asked = await call("POST", "/api/hub/v1/account/passkeys/challenge");
  const made = await navigator.credentials.create({ publicKey: {
    challenge: bytes(asked.challenge),
    rp: { id: asked.rp, name: "Chirp" },
    user: { id: bytes(asked.user), name: asked.handle, displayName: asked.handle },
    pubKeyCredParams: asked.algorithms.map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: asked.known.map((id) => ({ type: "public-key", id: bytes(id) })),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    attestation: "none", timeout: 240_000,
  } });
  return { challenge: asked.challenge, client: text(made.response.clientDataJSON), attestation: text(made.response.attestationObject) };
}

async function enter() {
  const asked = await call("POST", "/api/hub/v1/passkeys/challenge");
  const shown = await navigator.credentials.get({ publicKey: {
    challenge: bytes(asked.challenge), rpId: asked.rp, userVerification: "required", timeout: 240_000,
  } });
  const { clientDataJSON, authenticatorData, signature, userHandle } = shown.response;
  return {
    challenge: asked.challenge, client: text(clientDataJSON), credential: text(shown.rawId),
    authenticator: text(authenticatorData), signature: text(signature), user: text(userHandle),
  };
}

if (form) {
  const button = form.querySelector("button");
  if (window.isSecureContext && "PublicKeyCredential" in window) button.disabled = false;
  else warn(word("passkey.here.unable"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    say(word("passkey.here.working"));
    try {
      const fields = await (form.dataset.passkey === "add" ? add() : enter());
      for (const [name, value] of Object.entries(fields)) form.elements[name].value = value;
      form.submit();
    } catch (error) {
      say("");
      const known = { NotAllowedError: "passkey.here.declined", InvalidStateError: "passkey.here.twice" }[error.name];
      warn(known ? word(known) : word("passkey.here.failed", { reason: error.message }));
      button.disabled = false;
    }
  });
}
