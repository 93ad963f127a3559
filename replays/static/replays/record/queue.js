// Hands on their way to the server: in order, each once, whatever becomes of the connection.
//
// An item keeps its command id (`key`) for ever, and from its first sending on also what was sent
// (`sent`): while nobody knows whether it arrived, only exactly the same may be sent again. A plain
// refusal (412) proves that it was not recorded; then it is written anew on the table as it is.

import { call, freshKey } from "../js/api.js";
import { dropQueued, putQueued, queued } from "./store.js";

export const GRACE_MS = 4000; // So long a hand can be taken back before it is sent.
const WAITS_MS = [1000, 2000, 4000, 8000, 15000, 30000];

export class Queue {
  // `compose(item, desk)` writes the events of an item; `readDesk()` gives the table or null;
  // `changed(what, item)` is told of everything.
  constructor({ game, account, compose, readDesk, changed }) {
    Object.assign(this, { game, account, compose, readDesk, changed });
    this.items = [];
    this.failures = 0;
    this.timer = 0;
    this.running = null;
    this.state = "idle";
    this.signedOut = false;
  }

  async load() {
    await this.read();
    this.changed("loaded");
    this.soon(0);
  }

  // What the phone holds is what counts: another page of it may have added or sent something.
  async read() {
    const all = await queued();
    this.items = all.filter((item) => item.game === this.game && item.account === this.account);
  }

  without(item) {
    this.items = this.items.filter((each) => each.id !== item.id);
  }

  async add(item) {
    const whole = {
      ...item,
      game: this.game,
      account: this.account,
      key: freshKey(),
      sent: null,
      stopped: null,
      due: Date.now() + (item.grace ?? 0),
    };
    whole.id = await putQueued(whole);
    if (!this.items.some((each) => each.id === whole.id)) this.items.push(whole);
    this.changed("added", whole);
    this.soon(item.grace ?? 0);
  }

  // The last item, where it has not been sent yet; null where it has, or may have been.
  takeable() {
    const last = this.items.at(-1);
    return last && !last.sent ? last : null;
  }

  async drop(item) {
    await dropQueued(item.id);
    this.without(item);
    this.changed("dropped", item);
    this.soon(0);
  }

  // Go on with an item that was stopped, after somebody has decided.
  async resume(item, change = {}) {
    Object.assign(item, change, { stopped: null, sent: null, key: freshKey(), due: 0 });
    await putQueued(item);
    this.changed("resumed", item);
    this.soon(0);
  }

  async save(item) {
    await putQueued(item);
    this.changed("changed", item);
  }

  soon(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), ms);
  }

  // Two pages of one phone share the queue, so only one of them sends at a time.
  async run() {
    if (this.running) return;
    const work = () => this.sendAll();
    this.running = navigator.locks ? navigator.locks.request("paipu-record", work) : work();
    try {
      await this.running;
    } finally {
      this.running = null;
    }
  }

  async sendAll() {
    await this.read();
    for (;;) {
      const item = this.items[0];
      if (!item || item.stopped) return this.rest("idle");
      const wait = item.due - Date.now();
      if (wait > 0) {
        this.soon(wait);
        return this.rest("waiting");
      }
      if (!(await this.send(item))) return undefined;
    }
  }

  rest(state) {
    this.state = state;
    this.changed("rested");
  }

  // Whether to go on with the next.
  async send(item) {
    if (!item.sent && !(await this.write(item))) return false;
    this.state = "sending";
    this.changed("sending", item);
    const { body, ifMatch } = item.sent;
    const path = `/api/v1/games/${this.game}/events`;
    const answer = await call("POST", path, body, { key: item.key, ifMatch });
    if (answer.ok) {
      this.failures = 0;
      await dropQueued(item.id);
      this.without(item);
      this.changed("sent", item);
      return true;
    }
    if (answer.status === 412) {
      item.sent = null;
      item.late = true;
      await this.save(item);
      return this.write(item);
    }
    if (answer.status === 0 || answer.status === 429 || answer.status >= 500) {
      return this.later(answer.after);
    }
    if (answer.status === 401) {
      this.signedOut = true;
      return this.later(0);
    }
    item.sent = null;
    item.stopped = { kind: "refused", problem: answer.body };
    await this.save(item);
    this.rest("idle");
    return false;
  }

  // Write an item on the table as it is now. False where it cannot be, or somebody has to decide.
  // What belongs behind one event (`after`) needs no look at the table, until that was too late.
  async write(item) {
    if (item.after !== undefined && !item.late) return this.keepSent(item, item.after);
    const desk = await this.readDesk();
    if (!desk) return this.later(0);
    const seats = desk.seats.map((seat) => seat.id).join();
    const moved = item.hand !== undefined && (desk.next?.hand !== item.hand || seats !== item.seats);
    const behind = item.after !== undefined && desk.seq !== item.after;
    if (moved || behind) {
      item.stopped = { kind: "overtaken" };
      await this.save(item);
      this.rest("idle");
      return false;
    }
    return this.keepSent(item, desk.seq, desk);
  }

  async keepSent(item, seq, desk) {
    item.sent = { ifMatch: `"${seq}"`, body: this.compose(item, desk) };
    await this.save(item);
    return true;
  }

  later(afterSeconds) {
    const wait = WAITS_MS[Math.min(this.failures, WAITS_MS.length - 1)];
    this.failures += 1;
    this.soon(Math.max(wait, afterSeconds * 1000));
    this.rest(this.signedOut ? "signed-out" : "offline");
    return false;
  }
}
