import type { JsonNode } from '../logic/document-json';

/** The editor of the document while it is shown. */
export interface Canvas {
  /** The document as it is sent: without what is not set. The same object until it changes. */
  readonly read: () => JsonNode;
  /** Resolves when nobody holds the mouse on it. */
  readonly calm: () => Promise<void>;
  /** Puts in what others made of `base`. */
  readonly take: (base: JsonNode, theirs: JsonNode) => void;
}

/** What is under way in this tab. It changes without being drawn. */
export interface Work {
  canvas: Canvas | undefined;
  read: () => JsonNode;
  /** What the service has, as far as this tab knows. */
  revision: number;
  base: JsonNode;
  /** What was sent and is perhaps stored: no answer came yet. */
  sent: readonly JsonNode[];
  /** No answer came to the last of them: what became of it is asked before anything else is sent. */
  isUncertain: boolean;
  /** Grows with each change. */
  version: number;
  savedVersion: number;
  /** The service does not take it; it is sent again once it has changed. */
  refusedVersion: number;
  /** Of the last change, in ms since the epoch. */
  changedAt: number;
  /** Of the first unsaved change, in ms since the epoch. */
  unsavedSince: number;
  running: Promise<unknown> | undefined;
  retries: number;
  /** Of the last failure, in ms since the epoch. */
  failedAt: number;
  isStopped: boolean;
}

/** Delays before saving, in ms: after the last change, and at most after the first unsaved one. Shorter while others write. */
export const paceAlone = { calmMs: 700, latestMs: 1_400 };
export const paceTogether = { calmMs: 250, latestMs: 600 };

const maxRetryWaitMs = 15_000;

/** Whether the clock of the autosave sends now. */
export function isSaveDue(work: Work, { calmMs, latestMs }: typeof paceAlone): boolean {
  const { version, retries } = work;
  if (work.running !== undefined || work.isStopped) return false;
  if (version === work.savedVersion || version === work.refusedVersion) return false;
  const now = Date.now();
  if (retries > 0) return now - work.failedAt >= Math.min(maxRetryWaitMs, 1_000 * 2 ** retries);
  return now - work.changedAt >= calmMs || now - work.unsavedSince >= latestMs;
}

/** One at a time: saving, or taking in what others saved. */
export async function inTurn<Result>(work: Work, act: () => Promise<Result>): Promise<Result> {
  while (work.running !== undefined) await work.running.catch(() => undefined);
  // `running` is cleared before those who wait for it continue.
  const own = act().finally(() => (work.running = undefined));
  work.running = own;
  return own;
}

export function workOn(content: JsonNode, revision: number): Work {
  return {
    canvas: undefined,
    read: () => content,
    revision,
    base: content,
    sent: [],
    isUncertain: false,
    version: 0,
    savedVersion: 0,
    refusedVersion: -1,
    changedAt: 0,
    unsavedSince: 0,
    running: undefined,
    retries: 0,
    failedAt: 0,
    isStopped: false,
  };
}
