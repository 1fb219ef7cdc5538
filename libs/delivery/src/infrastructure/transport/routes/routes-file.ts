import { readFileSync, statSync } from 'node:fs';
import { RouteTable } from './route-table.js';

/** How often the file is looked at; a look costs one system call. */
const everyMs = 1_000;

/** The table in a file, read anew when the file changes. One that cannot be used changes nothing, and is told of once. */
export class RoutesFile {
  #table: RouteTable;
  #stamp: string;
  #lookAt: number;

  /** Throws where the file cannot be used at the start. */
  constructor(
    private readonly path: string,
    private readonly defaultRelay: string | undefined,
    private readonly onUnusable: (error: unknown) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#stamp = this.#stampOf();
    this.#table = this.#read();
    this.#lookAt = this.now() + everyMs;
  }

  get table(): RouteTable {
    if (this.now() >= this.#lookAt) this.#look();
    return this.#table;
  }

  #look(): void {
    this.#lookAt = this.now() + everyMs;
    try {
      const stamp = this.#stampOf();
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.#table = this.#read();
    } catch (error) {
      this.onUnusable(error);
    }
  }

  #stampOf(): string {
    const { mtimeMs, size, ino } = statSync(this.path);
    return `${mtimeMs} ${size} ${ino}`;
  }

  #read(): RouteTable {
    return RouteTable.parse(readFileSync(this.path, 'utf8'), this.defaultRelay);
  }
}
