import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import { FanOutByHand } from '../support/fakes/fan-out-by-hand.js';
import { startProgram, TestProgram } from '../support/programs/program.js';

let program: TestProgram;
let fanOut: FanOutByHand;
let steps: BroadcastSteps;

beforeAll(async () => {
  program = await startProgram({ ROLES: 'api' });
  fanOut = new FanOutByHand(program);
  const [team] = await fanOut.database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  steps = new BroadcastSteps(fanOut.database, team?.id ?? '');
});
afterAll(() => program.stop());

/** A contact as the slow model has it. */
interface Person {
  readonly id: string;
  readonly email: string;
  unsubscribed: boolean;
  choice: 'opt_in' | 'opt_out' | null;
  suppressed: boolean;
  deleted: boolean;
}

const person = fc.record({
  isMember: fc.boolean(),
  /** Whether the filter finds the contact. */
  isFound: fc.boolean(),
  unsubscribed: fc.boolean(),
  choice: fc.constantFrom('opt_in' as const, 'opt_out' as const, null),
  suppressed: fc.boolean(),
});
const change = fc.record({
  kind: fc.constantFrom(
    'slice',
    'slice',
    'slice',
    'pause',
    'resume',
    'unsubscribe',
    'opt out',
    'suppress',
    'delete',
    'join',
  ),
  of: fc.nat(30),
});
const world = fc.record({
  people: fc.array(person, { maxLength: 16 }),
  changes: fc.array(change, { maxLength: 24 }),
  segment: fc.constantFrom('static', 'filter'),
  topic: fc.constantFrom('opt_in' as const, 'opt_out' as const, 'none' as const),
  limit: fc.integer({ min: 1, max: 4 }),
});

let worlds = 0;

it('everybody is decided once, by what held at that moment, as in a slow model', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ people: given, changes, segment, topic, limit }) => {
      const name = `w${worlds++}-`;
      const rule = { type: 'rule', field: 'contact.first_name', operator: 'eq', value: `${name}found` };
      const segmentId = await steps.segment(segment === 'filter' ? rule : null);
      const topicId = topic === 'none' ? undefined : await steps.topic(topic);
      const ids = await steps.contacts(null, given.length, name);
      const people: Person[] = given.map(({ unsubscribed, choice, suppressed }, no) => ({
        id: ids[no] ?? '',
        email: `${name}${no}@sink.test`,
        deleted: false,
        unsubscribed,
        choice: topicId === undefined ? null : choice,
        suppressed,
      }));
      const of = (chosen: (person: Person, no: number) => boolean): Person[] => people.filter(chosen);
      await steps.join(
        segment === 'static' ? segmentId : await steps.segment(),
        of((_, no) => given[no]?.isMember === true).map(({ id }) => id),
      );
      await rename(
        of((_, no) => given[no]?.isFound === true).map(({ id }) => id),
        `${name}found`,
      );
      await steps.unsubscribe(of(({ unsubscribed }) => unsubscribed).map(({ id }) => id));
      await steps.suppress(of(({ suppressed }) => suppressed).map(({ email }) => email));
      for (const { id, choice } of people) if (choice !== null && topicId) await steps.choose(id, topicId, choice);

      const audience = of((_, no) => given[no]?.[segment === 'static' ? 'isMember' : 'isFound'] === true);
      const broadcastId = await steps.start({ segmentId, topicId });
      const work = { kind: 'slice' as const, broadcastId, teamId: steps.teamId };
      expect(await fanOut.run.fixAudience(work)).toBe(true);

      const expected = new Map<string, string>();
      const wants = ({ choice }: Person): boolean => topicId === undefined || (choice ?? topic) === 'opt_in';
      /** Compares what a slice decided with the model of this moment. */
      const compare = async (): Promise<void> => {
        for (const { contact_id, outcome } of await decisions(broadcastId)) {
          if (expected.has(contact_id)) {
            expect(outcome).toBe(expected.get(contact_id));
            continue;
          }
          const decided = audience.find(({ id }) => id === contact_id) as Person;
          const reason = decided.unsubscribed
            ? 'unsubscribed'
            : !wants(decided)
              ? 'not_subscribed'
              : decided.suppressed
                ? 'suppressed'
                : 'accepted';
          expect([decided.deleted, outcome]).toEqual([false, reason]);
          expected.set(contact_id, reason);
        }
      };
      let isPaused = false;
      for (const { kind, of: no } of [...changes, { kind: 'resume', of: 0 }]) {
        const chosen = people[no % Math.max(1, people.length)];
        if (kind === 'slice') {
          const before = expected.size;
          await fanOut.run.sendSlice(work, limit);
          await compare();
          if (isPaused) expect(expected.size).toBe(before);
        } else if (kind === 'pause' || kind === 'resume') {
          isPaused = kind === 'pause';
          await steps.setStatus(broadcastId, isPaused ? 'paused' : 'queued');
        } else if (chosen !== undefined && !chosen.deleted) {
          await apply(kind, chosen, topicId, segmentId);
        }
      }
      while (await fanOut.run.sendSlice(work, limit)) await compare();
      expect(await fanOut.runs.finish(broadcastId, new Date())).toBe(true);
      for (const { id, deleted } of audience) expect(deleted || expected.has(id)).toBe(true);
      const accepted = audience.filter(({ id }) => expected.get(id) === 'accepted').map(({ email }) => email);
      expect(await steps.addressees(broadcastId)).toEqual(accepted.sort());
      const { planned, accepted: counted, skipped } = await steps.progressOf(broadcastId);
      expect([planned, counted, skipped]).toEqual([
        audience.length,
        accepted.length,
        audience.length - accepted.length,
      ]);
    }),
    { numRuns: Number(process.env.BROADCAST_WORLDS ?? 40) },
  );
});

async function apply(kind: string, person: Person, topicId: string | undefined, segmentId: string): Promise<void> {
  switch (kind) {
    case 'unsubscribe':
      await steps.unsubscribe([person.id]);
      person.unsubscribed = true;
      return;
    case 'opt out':
      if (topicId === undefined || person.choice !== null) return;
      await steps.choose(person.id, topicId, 'opt_out');
      person.choice = 'opt_out';
      return;
    case 'suppress':
      if (!person.suppressed) await steps.suppress([person.email]);
      person.suppressed = true;
      return;
    case 'delete':
      await fanOut.database.execute({ text: 'DELETE FROM contacts WHERE id = $1', values: [person.id] });
      person.deleted = true;
      return;
    case 'join': {
      // Whoever comes later is not in the audience, by segment or by filter.
      const [late = ''] = await steps.contacts(null, 1, `late-${person.id}-${Math.random()}`);
      await steps.join(segmentId, [late]);
      return;
    }
  }
}

async function rename(ids: readonly string[], name: string): Promise<void> {
  await fanOut.database.execute({
    text: 'UPDATE contacts SET first_name = $2 WHERE id = ANY ($1)',
    values: [ids, name],
  });
}

function decisions(broadcastId: string): Promise<{ contact_id: string; outcome: string }[]> {
  return fanOut.database.query({
    text: 'SELECT contact_id, coalesce(reason, outcome) AS outcome FROM broadcast_recipients WHERE broadcast_id = $1',
    values: [broadcastId],
  });
}
