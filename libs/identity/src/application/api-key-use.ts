import { Injectable } from '@nestjs/common';

/** When keys were last used, kept in memory until it is written down: a write per request would cost more than the request. */
@Injectable()
export class ApiKeyUse {
  private unwritten = new Map<string, Date>();
  private beingWritten: ReadonlyMap<string, Date> = new Map();

  note(apiKeyId: string, at: Date): void {
    this.unwritten.set(apiKeyId, at);
  }

  /** Of a use that is not written yet. */
  lastUse(apiKeyId: string): Date | undefined {
    return this.unwritten.get(apiKeyId) ?? this.beingWritten.get(apiKeyId);
  }

  /** Hands what has gathered to `write`; where that fails it is kept for the next time. */
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
