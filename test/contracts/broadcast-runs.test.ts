import { afterAll } from '@jest/globals';
import { InMemoryUnitOfWork, newId } from '#kernel';
import { BroadcastSteps } from '../support/broadcast-steps.js';
import { FanOutByHand } from '../support/fan-out-by-hand.js';
import { InMemoryBroadcastRuns } from '../support/in-memory-broadcast-runs.js';
import { startProgram, TestProgram } from '../support/program.js';
import { describeBroadcastRuns } from './broadcast-runs.contract.js';

let program: TestProgram | undefined;
afterAll(async () => program?.stop());

describeBroadcastRuns('in memory', async () => {
  const runs = new InMemoryBroadcastRuns();
  const teamId = newId();
  return {
    runs,
    unitOfWork: new InMemoryUnitOfWork(),
    start: async (properties) => {
      const contacts = properties.map((property) => ({ id: newId(), property }));
      const { id } = runs.add(newId(), teamId);
      return {
        work: { kind: 'slice', broadcastId: id, teamId },
        contactIds: contacts.map((contact) => contact.id),
        members: { text: '', values: contacts },
      };
    },
    statusOf: async (id) => runs.runs.get(id)?.status ?? '',
  };
});

describeBroadcastRuns('in PostgreSQL', async () => {
  program = await startProgram({ ROLES: 'api' });
  const { runs, database } = new FanOutByHand(program);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  const steps = new BroadcastSteps(database, team?.id ?? '');
  const first = runs.firstMembersParameter;
  return {
    runs,
    unitOfWork: database,
    start: async (properties) => {
      const contactIds = properties.map(() => newId());
      return {
        work: { kind: 'slice', broadcastId: await steps.start({ segmentId: newId() }), teamId: steps.teamId },
        contactIds,
        members: {
          text: `SELECT contact_id, property FROM unnest($${first}::uuid[], $${first + 1}::text[]) AS m (contact_id, property)`,
          values: [contactIds, properties],
        },
      };
    },
    statusOf: async (id) => (await steps.stateOf(id)).status,
  };
});
