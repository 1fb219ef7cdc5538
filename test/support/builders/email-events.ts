import { TestProgram } from '../programs/program.js';
import { until } from '../runner/until.js';

export interface ShownEvent {
  readonly type: string;
  readonly recipient: string | null;
  readonly data: unknown;
}

/** All events of an email so far. */
export async function eventsOf(program: TestProgram, id: string): Promise<ShownEvent[]> {
  const body = (await (await program.request(`/emails/${id}/events`)).json()) as { data: ShownEvent[] };
  return body.data.map(({ type, recipient, data }) => ({ type, recipient, data }));
}

/** Waits until the email's `last_event` is this one. */
export function lastEventOf(program: TestProgram, id: string, lastEvent: string): Promise<string> {
  return until(async () => {
    const { data } = await program.resend.emails.get(id);
    return data?.last_event === lastEvent ? lastEvent : undefined;
  });
}
