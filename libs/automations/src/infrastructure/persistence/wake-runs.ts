import { Transaction } from '#kernel';
import { statementsOf, storableJson } from '#postgres/database';
import { HeardEvent } from '../../application/ports/event-queue.port.js';

/** Of the events that a run has waited for, all together. The payload of one beyond it is not kept. */
const maxWaitEventBytes = 262_144;

interface WokenRun {
  readonly id: string;
  readonly event: HeardEvent;
}

/** Lets runs go on with the events that they have waited for. Each takes an event of a contact once. */
export async function wakeRuns(woken: readonly WokenRun[], now: Date, transaction: Transaction): Promise<void> {
  const payloads = new Map(woken.map(({ event }) => [event, event.payload]));
  const numbers = new Map([...payloads.keys()].map((event, no) => [event, no]));
  await statementsOf(transaction).execute({
    name: 'wake-automation-runs',
    text: `UPDATE automation_runs r
           SET has_event = true, waiting_event = NULL, due_at = $3,
               taken_positions = CASE WHEN e.position IS NULL THEN r.taken_positions
                 ELSE coalesce(r.taken_positions, '{}') || jsonb_build_object(e.name, e.position) END,
               wait_events = coalesce(r.wait_events, '{}') || jsonb_build_object(e.name,
                 CASE WHEN octet_length(coalesce(r.wait_events, '{}')::text) + e.bytes <= ${maxWaitEventBytes}
                 THEN e.payload ELSE '{}' END)
           FROM json_to_recordset($1::json) AS w (id uuid, no integer)
           JOIN json_to_recordset($2::json) AS e (no integer, name text, payload jsonb, bytes integer, position bigint) ON e.no = w.no
           WHERE r.id = w.id`,
    values: [
      storableJson(woken.map(({ id, event }) => ({ id, no: numbers.get(event) }))),
      storableJson(
        [...payloads].map(([event, payload]) => ({
          no: numbers.get(event),
          name: event.name,
          payload,
          position: event.position,
          bytes: Buffer.byteLength(JSON.stringify(payload)),
        })),
      ),
      now,
    ],
  });
}
