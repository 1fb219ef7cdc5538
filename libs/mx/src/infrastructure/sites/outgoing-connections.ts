import { readFileSync } from 'node:fs';
import { FairQueue } from '#kernel';

export interface ConnectionLimits {
  /** Connections to mail hosts that the process has at once. */
  readonly maxOpen: number;
  /** Of these, ones whose host has not greeted us yet. */
  readonly maxUngreeted: number;
  /** Connections that a team may have open beyond the limits. */
  readonly minPerTeam: number;
  /** How long a host may take to greet us while others wait for their turn to be connected to. */
  readonly patienceMs: number;
}

/** One connection, counted until it is closed. */
export interface OutgoingConnection {
  /** Ends what precedes the greeting: others wait, and this host has had its time. */
  readonly signal: AbortSignal;
  /** It may take mail. */
  greeted(): void;
  close(): void;
}

interface Wish {
  readonly isWanted: () => boolean;
  readonly admit: (connection: OutgoingConnection | undefined) => void;
}

/** A site in the line of one team. It stands there once, whatever it wants. */
interface Entry {
  readonly teamId: string;
  readonly site: SiteConnections;
}

interface Ungreeted {
  readonly since: number;
  readonly giveUp: () => void;
}

/**
 * Bounds the connections of the process to the hosts of all sites. Those whose hosts have not greeted us yet have a share of
 * their own: hosts that say nothing leave the others their connections.
 *
 * The rule: teams take turns. Where the limits are reached, a team that has few connections opens one nevertheless; the
 * others wait for one to end, and hosts that have not greeted us within `patienceMs` are given up, the longest silent first,
 * as many as are waited for. So a host that answers waits for at most `patienceMs` per `maxUngreeted` silent ones of its own team.
 */
export class OutgoingConnections {
  readonly #waiting = new FairQueue<Entry>();
  #wishes = 0;
  /** In the order in which they began. */
  readonly #ungreeted = new Set<Ungreeted>();
  /** Given up, and not closed yet: each keeps its place until then, and leaves it to one that waits. */
  readonly #ending = new Set<Ungreeted>();
  readonly #openOf = new Map<string, number>();
  #open = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: ConnectionLimits = connectionLimits()) {}

  /** Somebody waits for a connection to end. */
  get isCrowded(): boolean {
    return this.#wishes > 0;
  }

  get openConnections(): number {
    return this.#open;
  }

  /** For one site, which several teams may have mail for. */
  forSite(): SiteConnections {
    const site: SiteConnections = new SiteConnections(
      () => void this.#wishes++,
      (teamIds) => {
        for (const teamId of teamIds) this.#waiting.push(teamId, { teamId, site });
        this.#admitWaiting();
      },
    );
    return site;
  }

  #admitWaiting(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { teamId, site } = next;
      const wish = site.served(teamId);
      // Another team's turn with the site came first.
      if (wish === undefined) continue;
      this.#wishes--;
      if (site.isWaiting && site.enter(teamId)) this.#waiting.push(teamId, next);
      wish.admit(wish.isWanted() ? this.#begin(teamId) : undefined);
    }
    this.#hurry();
  }

  #next(): Entry | undefined {
    const { maxOpen, maxUngreeted, minPerTeam } = this.limits;
    const hasRoom = this.#open < maxOpen && this.#ungreeted.size + this.#ending.size < maxUngreeted;
    return this.#waiting.shift((teamId) => hasRoom || (this.#openOf.get(teamId) ?? 0) < minPerTeam);
  }

  #begin(teamId: string): OutgoingConnection {
    const controller = new AbortController();
    const seconds = this.limits.patienceMs / 1_000;
    const ungreeted: Ungreeted = {
      since: performance.now(),
      giveUp: () => controller.abort(`given up after ${seconds} seconds, because other hosts waited for a connection`),
    };
    this.#ungreeted.add(ungreeted);
    this.#count(teamId, 1);
    let isOpen = true;
    const greeted = (): void => {
      const wasEnding = this.#ending.delete(ungreeted);
      if (this.#ungreeted.delete(ungreeted) || wasEnding) this.#admitWaiting();
    };
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#ungreeted.delete(ungreeted);
      this.#ending.delete(ungreeted);
      this.#count(teamId, -1);
      this.#admitWaiting();
    };
    return { signal: controller.signal, greeted, close };
  }

  /** Gives up as many of the longest silent hosts as others wait, and looks again when the next one has had its time. */
  #hurry(): void {
    clearTimeout(this.#timer);
    let excess = this.#wishes - this.#ending.size;
    for (const ungreeted of this.#ungreeted) {
      if (excess-- <= 0) return;
      const left = ungreeted.since + this.limits.patienceMs - performance.now();
      if (left > 0) {
        this.#timer = setTimeout(() => this.#hurry(), left).unref();
        return;
      }
      this.#ungreeted.delete(ungreeted);
      this.#ending.add(ungreeted);
      // Its end is told in a turn of its own.
      setImmediate(ungreeted.giveUp);
    }
  }

  #count(teamId: string, change: number): void {
    this.#open += change;
    const open = (this.#openOf.get(teamId) ?? 0) + change;
    if (open === 0) this.#openOf.delete(teamId);
    else this.#openOf.set(teamId, open);
  }
}

/** What one site wants of the connections of the process, and the teams in whose turns it waits for them. */
export class SiteConnections {
  readonly #wishes: Wish[] = [];
  /** Those in whose lines it stands. */
  readonly #teams = new Set<string>();

  constructor(
    private readonly onWish: () => void,
    private readonly onEntered: (teamIds: readonly string[]) => void,
  ) {}

  get isWaiting(): boolean {
    return this.#wishes.length > 0;
  }

  /**
   * Resolves when a connection may be opened, in the turn of the first of the teams that has one: it counts as that team's.
   * With undefined where nobody wants it any more by then.
   */
  async open(teamIds: readonly string[], isWanted: () => boolean): Promise<OutgoingConnection | undefined> {
    if (teamIds.length === 0) return undefined;
    return new Promise((admit) => {
      this.#wishes.push({ isWanted, admit });
      this.onWish();
      this.onEntered(teamIds.filter((teamId) => this.enter(teamId)));
    });
  }

  /** What is waited for is waited for in this team's turns as well. */
  alsoFor(teamId: string): void {
    if (this.isWaiting && this.enter(teamId)) this.onEntered([teamId]);
  }

  /** False where it stands in the team's line already. */
  enter(teamId: string): boolean {
    if (this.#teams.has(teamId)) return false;
    this.#teams.add(teamId);
    return true;
  }

  /** It was the team's turn. */
  served(teamId: string): Wish | undefined {
    this.#teams.delete(teamId);
    return this.#wishes.shift();
  }
}

function connectionLimits(): ConnectionLimits {
  const maxOpen = Math.min(3_000, Math.floor(openFileLimit() / 2));
  return { maxOpen, maxUngreeted: Math.floor(maxOpen / 2), minPerTeam: 16, patienceMs: 5_000 };
}

/** Node.js raises its limit to the hard one. Where it cannot be read it is taken for the smallest that is usual. */
function openFileLimit(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? 1_024);
  } catch {
    return 1_024;
  }
}
