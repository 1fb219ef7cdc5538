import { parsedJson } from './parsed-json.js';

export interface StreamedEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Takes a stream of server-sent events apart (HTML Living Standard, 9.2.6). Events whose data is not a JSON object are left out. */
export class EventLines {
  private rest = '';
  private type = '';
  private data: string[] = [];

  push(text: string): StreamedEvent[] {
    const events: StreamedEvent[] = [];
    const whole = this.rest + text;
    // The other half of a line end may be in the next piece.
    const half = whole.endsWith('\r') ? '\r' : '';
    const lines = whole.slice(0, whole.length - half.length).split(/\r\n|\n|\r/);
    this.rest = `${lines.pop() ?? ''}${half}`;
    for (const line of lines) {
      const event = this.line(line);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  private line(line: string): StreamedEvent | undefined {
    if (line === '') return this.dispatch();
    const at = line.indexOf(':');
    const field = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
    if (field === 'event') this.type = value;
    if (field === 'data') this.data.push(value);
    return undefined;
  }

  private dispatch(): StreamedEvent | undefined {
    const { type, data } = this;
    this.type = '';
    this.data = [];
    if (data.length === 0) return undefined;
    const parsed = parsedJson(data.join('\n'));
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    return { type: type || 'message', data: parsed as Record<string, unknown> };
  }
}
