import type { SmtpConnection } from './smtp-connection.js';

/** The connections of a pool that have completed the handshake. */
export class PooledConnections {
  readonly #all = new Set<SmtpConnection>();

  get size(): number {
    return this.#all.size;
  }

  /** Number of connections that take more messages. */
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

  /** Lets each connection, or each idle one, take a message, while there are messages to take. */
  wake(hasMore: () => boolean, idleOnly: boolean): void {
    for (const connection of this.#all) {
      if (!hasMore()) return;
      if (!idleOnly || connection.isIdle) connection.wake();
    }
  }

  /** Makes up to `count` connections end after their present message. Returns how many. */
  shed(count: number): number {
    const leaving = [...this.#all].filter((connection) => !connection.isLeaving).slice(-count);
    for (const connection of leaving) connection.leave();
    return leaving.length;
  }

  /** Ends one idle connection, if there is one. */
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
