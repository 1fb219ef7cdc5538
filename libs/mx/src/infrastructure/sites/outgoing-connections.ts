import { readFileSync } from 'node:fs';
import { FairQueue } from '#kernel';

export interface OutgoingConnectionLimits {
  /** Maximum number of connections of the process to mail hosts. */
  readonly maxOpen: number;
  /** Maximum number of these whose host has not greeted us yet. */
  readonly maxUngreeted: number;
  /** Number of connections that a team may have even when the limits are reached. */
  readonly minPerTeam: number;
  /** How long a host may take to greet us while other hosts wait for a connection. */
  readonly patienceMs: number;
}

/** One connection, counted until it is closed. */
export interface OutgoingConnection {
  /** Aborted when the greeting took too long while other hosts wait for a connection. */
  readonly signal: AbortSignal;
  /** To be called when the host has greeted us. */
  greeted(): void;
  close(): void;
}

interface ConnectionRequest {
  readonly isWanted: () => boolean;
  readonly admit: (connection: OutgoingConnection | undefined) => void;
}

/** A site in the queue of one team. It is there once, however many connections it requests. */
interface Entry {
  readonly teamId: string;
  readonly site: SiteConnections;
}

interface Ungreeted {
  readonly since: number;
  readonly giveUp: () => void;
}

/**
 * Bounds the connections of the process to the hosts of all sites. Hosts that have not greeted us yet have a limit of
 * their own, so that silent hosts leave connections to the others.
 *
 * Teams take turns. When the limits are reached, a team with fewer than `minPerTeam` connections may still open one.
 * The others wait until a connection ends. Hosts that have not greeted us within `patienceMs` are given up, those
 * silent for longest first, as many as there are waiting requests. So a host waits for at most `patienceMs` per
 * `maxUngreeted` silent hosts of its own team.
 */
export class OutgoingConnections {
  readonly #waiting = new FairQueue<Entry>();
  #requests = 0;
  /** In the order in which they began. */
  readonly #ungreeted = new Set<Ungreeted>();
  /** Given up but not closed yet. Each keeps its place until it is closed, and then leaves it to a waiting request. */
  readonly #ending = new Set<Ungreeted>();
  readonly #openOf = new Map<string, number>();
  #open = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: OutgoingConnectionLimits = connectionLimits()) {}

  /** Whether a request waits for a connection to end. */
  get isCrowded(): boolean {
    return this.#requests > 0;
  }

  get openConnections(): number {
    return this.#open;
  }

  /** The requests of one site, which may have mail of several teams. */
  forSite(): SiteConnections {
    const site: SiteConnections = new SiteConnections(
      () => void this.#requests++,
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
      const request = site.served(teamId);
      // The site was already served in another team's turn.
      if (request === undefined) continue;
      this.#requests--;
      if (site.isWaiting && site.enter(teamId)) this.#waiting.push(teamId, next);
      request.admit(request.isWanted() ? this.#begin(teamId) : undefined);
    }
    this.#giveUpSilent();
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

  /**
   * Gives up the hosts silent for longest, as many as requests wait, and runs again when the next host has had its
   * time.
   */
  #giveUpSilent(): void {
    clearTimeout(this.#timer);
    let excess = this.#requests - this.#ending.size;
    for (const ungreeted of this.#ungreeted) {
      if (excess-- <= 0) return;
      const left = ungreeted.since + this.limits.patienceMs - performance.now();
      if (left > 0) {
        this.#timer = setTimeout(() => this.#giveUpSilent(), left).unref();
        return;
      }
      this.#ungreeted.delete(ungreeted);
      this.#ending.add(ungreeted);
      // Runs in a later turn, because it may call back into this class.
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

/** The connection requests of one site, and the teams in whose turns they wait. */
export class SiteConnections {
  readonly #requests: ConnectionRequest[] = [];
  /** The teams in whose queues the site is. */
  readonly #teams = new Set<string>();

  constructor(
    private readonly onRequest: () => void,
    private readonly onEntered: (teamIds: readonly string[]) => void,
  ) {}

  get isWaiting(): boolean {
    return this.#requests.length > 0;
  }

  /**
   * Resolves when a connection may be opened, in the earliest turn of the teams. It counts as a connection of that
   * team. Resolves with undefined if the connection is no longer wanted by then.
   */
  async open(teamIds: readonly string[], isWanted: () => boolean): Promise<OutgoingConnection | undefined> {
    if (teamIds.length === 0) return undefined;
    return new Promise((admit) => {
      this.#requests.push({ isWanted, admit });
      this.onRequest();
      this.onEntered(teamIds.filter((teamId) => this.enter(teamId)));
    });
  }

  /** Lets the waiting requests wait in this team's turns as well. */
  alsoFor(teamId: string): void {
    if (this.isWaiting && this.enter(teamId)) this.onEntered([teamId]);
  }

  /** Adds the site to the team's queue. False if it is there already. */
  enter(teamId: string): boolean {
    if (this.#teams.has(teamId)) return false;
    this.#teams.add(teamId);
    return true;
  }

  /** Takes the next request in the turn of this team. */
  served(teamId: string): ConnectionRequest | undefined {
    this.#teams.delete(teamId);
    return this.#requests.shift();
  }
}

function connectionLimits(): OutgoingConnectionLimits {
  const maxOpen = Math.min(3_000, Math.floor(openFileLimit() / 2));
  return { maxOpen, maxUngreeted: Math.floor(maxOpen / 2), minPerTeam: 16, patienceMs: 5_000 };
}

/**
 * The limit of open files. Node.js raises its soft limit to the hard one. If it cannot be read, the smallest usual
 * value is assumed.
 */
function openFileLimit(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? 1_024);
  } catch {
    return 1_024;
  }
}
