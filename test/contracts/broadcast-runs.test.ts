import { afterAll } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../support/fakes/in-memory-unit-of-work.js';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import { FanOutByHand } from '../support/fakes/fan-out-by-hand.js';
import { InMemoryBroadcastRuns } from '../support/fakes/in-memory-broadcast-runs.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
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
      const segmentId = newId();
      runs.segments.set(segmentId, contacts);
      return {
        work: { kind: 'slice', broadcastId: id, teamId },
        contactIds: contacts.map((contact) => contact.id),
        segmentId,
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
  await steps.property('zone');
  let segments = 0;
  return {
    runs,
    unitOfWork: database,
    start: async (properties) => {
      const segmentId = await steps.segment();
      const contactIds = await steps.contacts(segmentId, properties.length, `s${segments++}-`);
      for (const [no, zone] of properties.entries()) {
        if (zone !== null) await steps.setProperties(contactIds[no] ?? '', { zone });
      }
      const broadcastId = await steps.start({ segmentId });
      return { work: { kind: 'slice', broadcastId, teamId: steps.teamId }, contactIds, segmentId };
    },
    statusOf: async (id) => (await steps.stateOf(id)).status,
  };
});
