import { readFileSync, statSync } from 'node:fs';
import type { MxRules } from '../sites/mx-rules.js';
import { OperatorRules, parseOperatorRules } from './operator-rules.js';
import { RouteTable } from './route-table.js';

/** Interval between two checks of the file. A check costs one system call. */
const everyMs = 1_000;

/**
 * Holds the rules of the routes file and reads them again when the file changes. An invalid file changes nothing and is
 * reported once.
 */
export class RoutesFile implements MxRules {
  #rules: OperatorRules;
  #stamp: string;
  #lookAt: number;

  /** Throws if the file is invalid at the start. */
  constructor(
    private readonly path: string,
    private readonly defaultRelay: string | undefined,
    private readonly onUnusable: (error: unknown) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#stamp = this.#stampOf();
    this.#rules = this.#read();
    this.#lookAt = this.now() + everyMs;
  }

  get table(): RouteTable {
    return this.#current().table;
  }

  get sources(): OperatorRules['sources'] {
    return this.#current().sources;
  }

  get profiles(): OperatorRules['profiles'] {
    return this.#current().profiles;
  }

  #current(): OperatorRules {
    if (this.now() >= this.#lookAt) this.#look();
    return this.#rules;
  }

  #look(): void {
    this.#lookAt = this.now() + everyMs;
    try {
      const stamp = this.#stampOf();
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.#rules = this.#read();
    } catch (error) {
      this.onUnusable(error);
    }
  }

  #stampOf(): string {
    const { mtimeMs, size, ino } = statSync(this.path);
    return `${mtimeMs} ${size} ${ino}`;
  }

  #read(): OperatorRules {
    return parseOperatorRules(readFileSync(this.path, 'utf8'), this.defaultRelay);
  }
}
