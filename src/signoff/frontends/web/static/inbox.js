// What pages do by themselves: sign in, show the token, stay current, count down, keys.
// Texts of requests only ever come from the server's own templates, fetched whole and put in place.
"use strict";
(() => {
  const TOKEN = "signoff-token";
  const PROOF_KEY = "signoff-key";
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const post = (path, fields) =>
    fetch(path, { method: "POST", body: new URLSearchParams(fields), cache: "no-store" });
  // The token is kept by origin, port included: cookies are not.
  const token = () => localStorage.getItem(TOKEN) ?? "";
  const say = (words, isLive) => {
    const link = one("#link");
    if (!link) return;
    if (link.textContent !== words) link.textContent = words;
    link.classList.toggle("live", isLive);
  };

  // Who answers at this address: the daemon this browser signed in at, or somebody who took its
  // place. A page loads nothing before that is proven, by a key that only the two of them know.
  const STRANGER =
    "signoff was started again, or another program answers in its place. This page does nothing any more: " +
    "run `signoff open` in a terminal and follow the link it prints.";
  const WORKER =
    "A service worker of another program stands between this page and signoff, so this page does nothing. " +
    "Close it, run `signoff down; signoff open` in a terminal and follow the link it prints.";
  const PREFIX = "signoff-inbox-v1\n";
  const PATIENCE_MS = 5000;
  let isStopped = false;
  function stop(words) {
    isStopped = true;
    source?.close();
    source = null;
    say("stopped", false);
    one("#stopped").textContent = words;
    one("#stopped").hidden = false;
    one("main").inert = true;
  }
  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const bytes = (text) => Uint8Array.from(text.match(/[0-9a-f]{2}/g) ?? [], (pair) => parseInt(pair, 16));
  async function isGood(nonce, proof) {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", bytes(localStorage.getItem(PROOF_KEY) ?? ""), hmac, false, ["verify"]);
    return crypto.subtle.verify("HMAC", key, bytes(proof), new TextEncoder().encode(PREFIX + nonce));
  }
  // Tell whether the daemon proves itself: not where nobody answers, and never again after a wrong proof.
  async function isProven(isQuiet = false) {
    if (isStopped || !localStorage.getItem(PROOF_KEY)) return false;
    const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
    const asked = { method: "POST", body: new URLSearchParams({ nonce }), cache: "no-store" };
    let answer;
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      answer = await fetch("/web/proof", { ...asked, credentials: "omit", redirect: "manual", signal });
    } catch {
      say("connection lost, trying again", false);
      return false;
    }
    if (answer.status === 503) return false; // too busy to answer anybody
    try {
      if (answer.ok && (await isGood(nonce, (await answer.json()).proof))) return !isStopped;
    } catch {
      // What is no proof is a wrong one.
    }
    if (!isQuiet) stop(STRANGER);
    return false;
  }
  async function go(path, how = "assign") {
    if (await isProven()) location[how](path);
  }

  // Signing in: the code stands in the fragment, which only this page sees.
  async function signIn() {
    const code = location.hash.slice(1);
    if (!code) {
      if (!(await goInIfSignedIn())) void offerPasskey();
      return;
    }
    history.replaceState(null, "", location.pathname);
    if (code.startsWith(LED)) await followToRequest(code.slice(LED.length));
    else await enter(code);
  }
  // A link of a message: it leads to one request and lets nobody in, the passkey of its person does.
  const LED = "ask-";
  let asked = "";
  async function followToRequest(code) {
    asked = code;
    if (!one("#passkey-sign-in")) return failed("You have no passkey for this address yet: sign in by a link, and add one.");
    one("#sign-in-words").textContent = "Use your passkey to see and answer the request.";
    await passkeySignIn().catch((error) => failed(`Not signed in: ${error.message}`));
  }
  // Led here from outside, a browser shows no cookie; asked from here, it does.
  async function goInIfSignedIn() {
    if (!(await isProven(true))) return false; // a key of an earlier start: this page signs in anew
    const answer = await fetch("/web/", { cache: "no-store", redirect: "manual" });
    const isIn = answer.ok && answer.type === "basic";
    if (isIn) location.replace("/web/");
    return isIn;
  }
  async function enter(code) {
    const answer = await post(location.pathname, { code });
    const said = await answer.json();
    if (answer.ok) {
      letIn(said);
    } else {
      one("#sign-in-words").textContent = said.words;
    }
  }

  function letIn(said) {
    localStorage.setItem(TOKEN, said.token);
    localStorage.setItem(PROOF_KEY, said.key);
    location.replace(said.request ? `/web/requests/${encodeURIComponent(said.request)}` : "/web/");
  }

  // Passkeys: the browser asks its user, the server checks what comes back. Without one nothing is sent.
  const passkeys = navigator.credentials;
  const failed = (words) => {
    const told = one("#passkey-problem") ?? one("#sign-in-words");
    told.textContent = words;
    told.hidden = false;
  };
  async function begun(path, fields) {
    const answer = await post(path, fields);
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.words);
    return said;
  }
  async function proof(path, fields) {
    const options = await begun(path, fields);
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return JSON.stringify((await passkeys.get({ publicKey })).toJSON());
  }
  // Fill in the proof a form takes; false where there is none.
  async function proven(form) {
    const { passkey, recovery } = form.elements;
    if (!form.dataset.prove || passkey.value || recovery.value.trim()) return true;
    try {
      passkey.value = await proof(form.dataset.prove, { token: token() });
      return true;
    } catch (error) {
      failed(`No passkey was given: ${error.message}`);
      return false;
    }
  }
  async function addPasskey(form) {
    try {
      if (!(await proven(form))) return;
      const fields = { token: token(), passkey: form.elements.passkey?.value ?? "", recovery: form.elements.recovery?.value ?? "" };
      const options = await begun("/web/passkeys/options", fields);
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
      const credential = JSON.stringify((await passkeys.create({ publicKey })).toJSON());
      const { codes } = await begun(form.action, { token: token(), name: form.elements.name.value, credential });
      if (!codes.length) return void go("/web/passkeys");
      for (const code of codes) {
        const item = document.createElement("li");
        item.appendChild(document.createElement("code")).textContent = code;
        one("#codes").append(item);
      }
      one("#new-codes").hidden = false;
      form.hidden = true;
    } catch (error) {
      failed(`No passkey was added: ${error.message}`);
    } finally {
      if (form.elements.passkey) form.elements.passkey.value = "";
    }
  }
  async function passkeySignIn() {
    const credential = await proof("/web/sign-in/passkey/options", {});
    letIn(await begun("/web/sign-in/passkey", { credential, asked }));
  }
  one("#passkey-sign-in")?.addEventListener("click", () => passkeySignIn().catch((error) => failed(`Not signed in: ${error.message}`)));
  // Whom `signoff open` led here is asked at once; who has signed out is not. The button stays for both.
  async function offerPasskey() {
    if (one("#passkey-sign-in") && !document.referrer) await passkeySignIn().catch(() => {});
  }

  function fillTokens() {
    for (const field of all("input[name=token]")) field.value = token();
    const missing = one("#no-token");
    if (missing) missing.hidden = token() !== "";
  }

  // Time, by the server's clock.
  const ahead = Number(document.body.dataset.now) * 1000 - Date.now();
  const nowS = () => (Date.now() + ahead) / 1000;
  function span(seconds) {
    const left = Math.round(Math.max(0, seconds));
    if (left < 60) return `${left} s`;
    const two = (number) => String(number).padStart(2, "0");
    if (left < 3600) return `${Math.floor(left / 60)} min ${two(left % 60)} s`;
    if (left < 86400) return `${Math.floor(left / 3600)} h ${two(Math.floor((left % 3600) / 60))} min`;
    return `${Math.floor(left / 86400)} d ${Math.floor((left % 86400) / 3600)} h`;
  }
  function tick() {
    for (const time of all("time[data-age]")) {
      time.textContent = `${span(nowS() - Number(time.dataset.age))} ago`;
    }
    for (const time of all("time[data-ends]")) {
      const left = Number(time.dataset.ends) - nowS();
      time.textContent = span(left);
      time.parentElement.classList.toggle("soon", left < 60);
    }
    review();
  }

  // Reading time: it runs from when the page is in view, and the server keeps it. What is folded is read
  // once it was open. The seconds are shown only; a screen reader hears once that the time is over.
  let readUntil = null;
  const isRead = (fold) => fold.open || fold.dataset.opened;
  const openQuestions = () => all("#approve fieldset").filter((set) => set.querySelector("[required]") && !set.querySelector(":checked")).length;
  for (const choice of all("#approve input[type=radio]")) choice.addEventListener("change", () => review());
  function review() {
    const told = one("#review");
    if (!told || readUntil === null) return;
    const left = Math.ceil((readUntil - performance.now()) / 1000);
    const folds = all("details.fold").filter((fold) => !isRead(fold)).length;
    const isOver = left <= 0 && !folds;
    for (const button of all("button.approve, button.for-session")) button.disabled = !isOver;
    if (left > 0) told.textContent = `Read it first: ${span(left)} more.`;
    else if (folds) told.textContent = "Open the folded lines first.";
    else told.textContent = openQuestions() ? "Answer the questions to approve it." : "You may approve it now.";
    const over = one("#review-over");
    if (isOver && !over.textContent) over.textContent = told.textContent;
  }
  for (const fold of all("details.fold")) {
    fold.addEventListener("toggle", () => {
      fold.dataset.opened = "yes";
      review();
    });
  }
  let isSeen = false;
  async function see() {
    const article = one("[data-seen]");
    if (!article || !one("#review") || isSeen || document.visibilityState !== "visible") return;
    isSeen = true;
    try {
      const answer = await post(article.dataset.seen, { token: token() });
      if (!answer.ok) return;
      const said = await answer.json();
      if (said.words) one("#review").textContent = said.words;
      else readUntil = performance.now() + said.left_s * 1000;
      if (said.code) one("#terminal-code").textContent = said.code;
      if (!said.words) one(said.code ? "#by-terminal" : "#not-by-terminal").hidden = false;
      review();
    } catch {
      isSeen = false;
      setTimeout(see, 2000);
    }
  }
  function countWords() {
    const text = one("#explanation");
    if (!text) return;
    const count = () => {
      const words = text.value.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
      one("#words").textContent = String(words.length);
    };
    text.addEventListener("input", count);
    count();
  }

  // A press that has begun ends on what it began on: until then nothing is put in its place.
  let released = Promise.resolve();
  document.addEventListener("pointerdown", () => {
    released = new Promise((end) => {
      const ended = () => setTimeout(end, 0); // after the click
      for (const way of ["pointerup", "pointercancel"]) document.addEventListener(way, ended, { once: true });
    });
  });

  // Notices, as long as the inbox is open in a tab: this page shows them, nothing is sent anywhere.
  const SWITCHES = { "#notify": "signoff-notify", "#sound": "signoff-sound" };
  const isOn = (id) => localStorage.getItem(SWITCHES[id]) === "on";
  function beep() {
    const audio = new AudioContext();
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    volume.gain.value = 0.08;
    tone.frequency.value = 660;
    tone.connect(volume).connect(audio.destination);
    tone.onended = () => void audio.close();
    tone.start();
    tone.stop(audio.currentTime + 0.2);
  }
  function notify(fresh) {
    if (isOn("#sound")) beep();
    const isWatched = document.visibilityState === "visible" && document.hasFocus();
    if (isWatched || !isOn("#notify") || Notification.permission !== "granted") return;
    const [link, ...others] = fresh;
    const body = link.textContent.trim() + (others.length ? ` (and ${others.length} more)` : "");
    const notice = new Notification("signoff needs your answer", { body, tag: link.dataset.id });
    notice.onclick = () => {
      window.focus();
      void go(link.href);
    };
  }
  for (const [id, key] of Object.entries(SWITCHES)) {
    const button = one(id);
    if (!button || (id === "#notify" && !("Notification" in window))) continue;
    const show = () => button.setAttribute("aria-pressed", String(isOn(id)));
    button.hidden = false;
    button.addEventListener("click", async () => {
      let wanted = !isOn(id);
      if (wanted && id === "#notify") wanted = (await Notification.requestPermission()) === "granted";
      localStorage.setItem(key, wanted ? "on" : "off");
      if (wanted && id === "#sound") beep();
      show();
    });
    show();
  }

  // Staying current.
  const RETRY_MS = 2000;
  async function refresh() {
    const live = one("#live");
    if (!live || !(await isProven())) return;
    const answer = await fetch(live.dataset.list, { cache: "no-store" });
    if (answer.status === 401) await go("/web/sign-in");
    if (!answer.ok) return;
    const text = await answer.text();
    await released;
    const before = new Set(all("#live [data-id]").map((link) => link.dataset.id));
    const focused = document.activeElement?.dataset?.id;
    const page = new DOMParser().parseFromString(text, "text/html");
    live.replaceChildren(...page.body.childNodes);
    if (focused) one(`#live [data-id="${CSS.escape(focused)}"]`)?.focus();
    const fresh = all("#live .cards [data-id]").filter((link) => !before.has(link.dataset.id));
    for (const link of fresh) link.closest(".card").classList.add("fresh");
    const waiting = Number(one("[data-waiting]").dataset.waiting);
    document.title = `${waiting ? `(${waiting}) ` : ""}Inbox - signoff`;
    if (fresh.length) {
      one("#news").textContent = `New: ${fresh[0].textContent.trim()}`;
      notify(fresh);
    } else if (!waiting) one("#news").textContent = "";
    tick();
  }
  let isLeaving = false;
  function moved(id, state, step) {
    if (isLeaving) return;
    const article = one("[data-request]");
    if (!article || article.dataset.request !== id) return;
    if (article.dataset.state === state && (state !== "pending" || Number(article.dataset.step) === step)) return;
    const isTyped = all("textarea:not([hidden])").some((field) => field.value !== field.defaultValue);
    const isChosen = all("input[type=radio]").some((field) => field.checked !== field.defaultChecked);
    if (state === "pending" && (isTyped || isChosen)) one("#changed").hidden = false;
    else void go(article.dataset.self, "replace");
  }
  // Catch up with what became of this page's request before it listened. The address of this page may be
  // that of a refused answer, which cannot be fetched.
  async function catchUp() {
    const article = one("[data-request][data-state=pending]");
    if (!article || !(await isProven())) return;
    const answer = await fetch(article.dataset.self, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = one("[data-request]", page)?.dataset;
    moved(article.dataset.request, now?.state ?? "gone", Number(now?.step));
  }
  let source = null;
  let isListening = false;
  async function listen() {
    const wants = one("#live") || one("[data-request][data-state=pending]");
    // A page that is not in view gives its connection back; the inbox keeps its own.
    const isShown = one("#live") || document.visibilityState === "visible";
    if (!wants || !isShown) {
      source?.close();
      source = null;
      return;
    }
    if (source || isListening) return;
    isListening = true;
    const isOurs = await isProven();
    isListening = false;
    if (!isOurs) {
      if (!isStopped && localStorage.getItem(PROOF_KEY)) setTimeout(listen, RETRY_MS);
      return;
    }
    source = new EventSource("/web/events");
    source.addEventListener("hello", () => {
      say("live", true);
      void refresh();
      void catchUp();
    });
    source.addEventListener("change", (event) => {
      const { id, state, step } = JSON.parse(event.data);
      moved(id, state, step);
      void refresh();
    });
    // A browser would connect again by itself, to whoever is there by then.
    source.addEventListener("error", () => {
      source?.close();
      source = null;
      say("connection lost, trying again", false);
      setTimeout(listen, RETRY_MS);
    });
  }

  // Keys: none of them answers anything.
  function step(by) {
    const links = all(".cards a.headline, .lines a, table.rows td:first-child a");
    const at = links.indexOf(document.activeElement);
    const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by;
    links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
  }
  const KEYS = {
    j: () => step(1),
    k: () => step(-1),
    i: () => void go("/web/"),
    h: () => void go("/web/history"),
    "/": () => (one("#filter") ? one("#filter").focus() : void go("/web/history")),
  };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  });

  // What a person follows or sends goes to the daemon, or nowhere. A browser without the key reads only.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const isOther = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!link || isOther || link.origin !== location.origin || link.getAttribute("href").startsWith("#")) return;
    if (!isStopped && !localStorage.getItem(PROOF_KEY)) return;
    event.preventDefault();
    void go(link.href);
  });
  let isAsked = false; // whether the daemon is asked to prove itself for a form
  let isSent = false; // whether it has
  document.addEventListener("submit", async (event) => {
    if (!isSent && (isStopped || localStorage.getItem(PROOF_KEY))) {
      event.preventDefault();
      if (isAsked) return;
      isAsked = true;
      isSent = await isProven();
      if (isSent && event.target.matches("#add-passkey")) {
        isSent = isAsked = false;
        return void addPasskey(event.target);
      }
      isSent = isSent && (await proven(event.target));
      if (isSent) event.target.requestSubmit(event.submitter);
      isAsked = isSent = false;
      return;
    }
    fillTokens();
    if (event.target.matches(".who")) {
      localStorage.removeItem(TOKEN);
      localStorage.removeItem(PROOF_KEY);
      for (const key of Object.values(SWITCHES)) localStorage.removeItem(key);
    }
    // What is heard from now on is what this form does: the answer's own page shows it.
    isLeaving = true;
    const buttons = [...event.target.elements].filter((field) => field.type === "submit");
    // After the form was read: a second press sends nothing twice.
    const stop = () => buttons.forEach((button) => (button.disabled = true));
    if (event.target.method === "post") setTimeout(stop, 0);
  });
  document.addEventListener("visibilitychange", () => {
    void listen();
    void see();
  });
  // A page that comes back out of the browser's memory is not current.
  window.addEventListener("pageshow", (event) => event.persisted && void go(location.href, "replace"));
  // What a worker hands on is not what the daemon sent.
  if (navigator.serviceWorker?.controller) {
    stop(WORKER);
    return;
  }
  if (one("[data-sign-in]")) {
    void signIn();
    one("#code-form").addEventListener("submit", (event) => {
      event.preventDefault();
      event.stopPropagation(); // there is no key yet that the daemon could be proven by
      void enter(one("#code").value);
    });
    // A link followed in a tab that shows this page already loads nothing again.
    window.addEventListener("hashchange", () => void signIn());
  }
  // On a narrow screen the list of pages scrolls sideways: the present one is in view. The list alone
  // is moved: browsers start the Tab key behind what `scrollIntoView` showed, past the way to the content.
  const present = one("nav [aria-current]");
  if (present) {
    const pages = present.parentElement;
    pages.scrollLeft = present.offsetLeft - pages.offsetLeft - (pages.clientWidth - present.offsetWidth) / 2;
  }
  fillTokens();
  countWords();
  tick();
  setInterval(tick, 1000);
  void listen();
  void see();
})();
