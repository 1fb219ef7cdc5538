import { Injectable } from '@nestjs/common';

/**
 * Keeps in memory when keys were last used, until the times are stored: a write per request would cost more than the
 * request.
 */
@Injectable()
export class ApiKeyUse {
  private unwritten = new Map<string, Date>();
  private beingWritten: ReadonlyMap<string, Date> = new Map();

  note(apiKeyId: string, at: Date): void {
    this.unwritten.set(apiKeyId, at);
  }

  /** The time of a use that is not stored yet. */
  lastUse(apiKeyId: string): Date | undefined {
    return this.unwritten.get(apiKeyId) ?? this.beingWritten.get(apiKeyId);
  }

  /** Passes the collected uses to `write`. Where `write` fails they are kept for the next flush. */
  async flush(write: (uses: ReadonlyMap<string, Date>) => Promise<void>): Promise<void> {
    if (this.unwritten.size === 0 || this.beingWritten.size > 0) return;
    this.beingWritten = this.unwritten;
    this.unwritten = new Map();
    try {
      await write(this.beingWritten);
    } catch (error) {
      this.unwritten = new Map([...this.beingWritten, ...this.unwritten]);
      throw error;
    } finally {
      this.beingWritten = new Map();
    }
  }
}
