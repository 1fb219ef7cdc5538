import type { SmtpConnection } from './smtp-connection.js';

/** The connections of a pool that have been greeted. */
export class PooledConnections {
  readonly #all = new Set<SmtpConnection>();

  get size(): number {
    return this.#all.size;
  }

  /** Those that take more messages. */
  get open(): number {
    let open = 0;
    for (const connection of this.#all) if (!connection.isLeaving) open++;
    return open;
  }

  get idle(): number {
    let idle = 0;
    for (const connection of this.#all) if (connection.isIdle) idle++;
    return idle;
  }

  add(connection: SmtpConnection): void {
    this.#all.add(connection);
  }

  delete(connection: SmtpConnection): void {
    this.#all.delete(connection);
  }

  /** Has each take a message, or the idle ones, as long as there is one to take. */
  wake(hasMore: () => boolean, idleOnly: boolean): void {
    for (const connection of this.#all) {
      if (!hasMore()) return;
      if (!idleOnly || connection.isIdle) connection.wake();
    }
  }

  /** Has up to so many end with the message that they have; answers how many. */
  shed(count: number): number {
    const leaving = [...this.#all].filter((connection) => !connection.isLeaving).slice(-count);
    for (const connection of leaving) connection.leave();
    return leaving.length;
  }

  /** Ends one that has nothing to do, if there is one. */
  shedIdle(): boolean {
    for (const connection of this.#all) {
      if (!connection.isIdle) continue;
      connection.leave();
      return true;
    }
    return false;
  }

  leave(): void {
    for (const connection of [...this.#all]) connection.leave();
  }
}
