import { beforeEach, expect, it } from '@jest/globals';
import type { ContactValues, FindGroups } from '#audience';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import type { PublishedTemplate, PublishedTemplates } from '#templates';
import { runExample } from '../../../../test/support/builders/run-example.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { GivenRuns, InMemoryAutomations } from '../../../../test/support/fakes/in-memory-automations.js';
import { Graph } from '../domain/graph.js';
import { defaultSettings } from '../domain/settings.js';
import { Automations } from './automations.use-case.js';
import { CheckAutomation } from './check-automation.js';

const teamId = newId();
const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
const graph = Graph.parse(
  [
    { key: 'start', type: 'trigger', config: { event_name: 'user.created' } },
    { key: 'mail', type: 'send_email', config: { template: { id: 'welcome' } } },
  ],
  [{ from: 'start', to: 'mail' }],
);
const requested = { name: 'Welcome', status: 'disabled', graph, settings: defaultSettings } as const;
const [segmentId, topicId] = [newId(), newId()];
const groups = {
  segment: async (_team: string, id: string) => (id === segmentId ? {} : undefined),
  topic: async (_team: string, id: string) => (id === topicId ? {} : undefined),
};
const properties = [
  { key: 'renews_at', type: 'string' },
  { key: 'age', type: 'number' },
];
let repository: InMemoryAutomations;
let runs: GivenRuns;
let template: PublishedTemplate | 'draft' | undefined;
let automations: Automations;

beforeEach(() => {
  repository = new InMemoryAutomations();
  runs = new GivenRuns();
  template = undefined;
  const templates = { find: async () => template } as unknown as PublishedTemplates;
  const check = new CheckAutomation(
    repository,
    templates,
    groups as unknown as FindGroups,
    { propertiesOf: async () => properties } as unknown as ContactValues,
    { allowPrivate: false, allowsAddress: () => false },
  );
  automations = new Automations(repository, runs, check, new InMemoryUnitOfWork(), new FakeClock());
});

it('a disabled automation may name a template that does not exist yet, an enabled one may not', async () => {
  const id = await automations.add(owner, requested);
  await expect(automations.change(owner, id, { status: 'enabled' })).rejects.toThrow('`welcome` of the step `mail`');
  template = 'draft';
  await expect(automations.add(owner, { ...requested, status: 'enabled' })).rejects.toThrow('is not published');
  template = {} as PublishedTemplate;
  await automations.change(owner, id, { status: 'enabled' });
  expect((await automations.find(teamId, id)).status).toBe('enabled');
});

it('is checked again if somebody else has changed it meanwhile', async () => {
  template = {} as PublishedTemplate;
  const id = await automations.add(owner, requested);
  const config = { event_name: 'resend:segment.entered', segment_id: newId() };
  const stranger = Graph.parse([{ key: 'start', type: 'trigger', config }], []);
  const find = repository.find.bind(repository);
  let isFirst = true;
  repository.find = async (...given) => {
    const read = await find(...given);
    if (isFirst && read !== undefined) repository.rows.set({ ...read, graph: stranger, version: read.version + 1 });
    isFirst = false;
    return read;
  };
  await expect(automations.change(owner, id, { status: 'enabled' })).rejects.toThrow('The segment of the trigger');
  expect((await automations.find(teamId, id)).status).toBe('disabled');
});

it('the graphs of a team have a size, each of them and all together', async () => {
  const large = (characters: number): Graph => {
    const value = 'x'.repeat(1_000);
    const rules = Array.from({ length: 50 }, () => ({ type: 'rule', field: 'event.a', operator: 'eq', value }));
    const steps = Array.from({ length: Math.ceil(characters / 52_500) }, (_, no) => ({
      key: `step ${no}`,
      type: 'condition',
      config: { type: 'or', rules },
    }));
    return Graph.parse(
      [{ key: 'start', type: 'trigger', config: { event_name: 'a' } }, ...steps],
      steps.map(({ key }, no) =>
        no === 0 ? { from: 'start', to: key } : { from: `step ${no - 1}`, to: key, type: 'condition_met' },
      ),
    );
  };
  const add = (characters: number): Promise<string> =>
    automations.add(owner, { ...requested, graph: large(characters) });
  await expect(add(600_000)).rejects.toThrow('An automation may have at most 512 KB');
  const id = await add(400_000);
  await expect(automations.change(owner, id, { graph: large(600_000) })).rejects.toThrow('An automation may have');
  repository.sizes = { others: 16_500_000, withVersions: 16_900_000 };
  await expect(add(400_000)).rejects.toThrow('The automations of a team may have at most 16 MB');
  await automations.change(owner, id, { name: 'Still renamed' });
});

it('a smaller graph is a version too, for which there must be room', async () => {
  const id = await automations.add(owner, requested);
  repository.sizes = { others: 0, withVersions: 67_108_800 };
  await expect(automations.change(owner, id, { graph })).rejects.toThrow('together with the earlier versions');
  await expect(automations.add(owner, requested)).rejects.toThrow('at most 64 MB');
  await automations.change(owner, id, { name: 'Still renamed' });
});

it('other steps make a new version, another name does not', async () => {
  const id = await automations.add(owner, requested);
  const other = Principal.ofUser({ id: newId(), teamId, role: 'admin' });
  await automations.change(other, id, { name: 'Hello' });
  expect(await automations.find(teamId, id)).toMatchObject({ name: 'Hello', version: 1, actor: owner.actor });
  await automations.change(other, id, { graph });
  expect(await automations.find(teamId, id)).toMatchObject({ version: 2, actor: other.actor });
});

it('a copy is disabled, and has the same settings', async () => {
  template = {} as PublishedTemplate;
  const settings = { ...defaultSettings, maxEmailsPerDay: 2 };
  const id = await automations.add(owner, { ...requested, status: 'enabled', settings });
  const copy = await automations.duplicate(owner, id);
  expect(await automations.find(teamId, copy)).toMatchObject({
    name: 'Welcome (copy)',
    status: 'disabled',
    graph,
    settings,
  });
});

it.each([
  ['segment', { event_name: 'resend:segment.entered', segment_id: segmentId }, undefined],
  ['segment', { event_name: 'resend:segment.entered', segment_id: newId() }, undefined],
  ['topic', { event_name: 'resend:topic.subscribed', topic_id: topicId }, undefined],
  ['topic', { event_name: 'resend:topic.subscribed', topic_id: newId() }, undefined],
  ['template', { event_name: 'resend:email.opened', template_id: newId() }, undefined],
  ['broadcast', { event_name: 'resend:email.clicked', broadcast_id: newId() }, undefined],
  ['route', { event_name: 'resend:email.received', route_id: newId() }, undefined],
  ['segment', { event_name: 'paid' }, { type: 'add_to_segment', config: { segment_id: newId() } }],
  ['segment', { event_name: 'paid' }, { type: 'remove_from_segment', config: { segment_id: newId() } }],
  ['topic', { event_name: 'paid' }, { type: 'send_email', config: { template: { id: 'x' }, topic_id: newId() } }],
])(
  'a %s that the team does not have is refused by name, also while the automation is disabled',
  async (kind, config, step) => {
    const steps = [
      { key: 'start', type: 'trigger', config },
      ...(step === undefined ? [] : [{ key: 'next', ...step }]),
    ];
    const connections = step === undefined ? [] : [{ from: 'start', to: 'next' }];
    const wanted = { ...requested, graph: Graph.parse(steps, connections) };
    const named = Object.values(config).some((id) => id === segmentId || id === topicId);
    const where = step === undefined ? 'trigger `start`' : 'step `next`';
    const refusal = `The ${kind} of the ${where} does not exist.`;
    if (named) return void (await automations.add(owner, wanted));
    await expect(automations.add(owner, wanted)).rejects.toThrow(refusal);
    const id = await automations.add(owner, requested);
    await expect(automations.change(owner, id, { graph: wanted.graph })).rejects.toThrow(refusal);
  },
);

it.each([
  [{ event_name: 'resend:contact.date', property: 'renews_at' }, undefined],
  [{ event_name: 'resend:contact.date', property: 'age' }, '`age` of the trigger `start`'],
  [{ event_name: 'resend:contact.date', property: 'none' }, '`none` of the trigger `start`'],
])('an enabled automation must have what its trigger %j names', async (config, refusal) => {
  const wanted = { ...requested, graph: Graph.parse([{ key: 'start', type: 'trigger', config }], []) };
  await automations.add(owner, wanted);
  const enabled = automations.add(owner, { ...wanted, status: 'enabled' });
  if (refusal === undefined) await enabled;
  else await expect(enabled).rejects.toThrow(refusal);
});

it('a team has a limit of triggers for which its contacts are followed', async () => {
  const config = { event_name: 'resend:contact.date', property: 'renews_at' };
  const dated = {
    ...requested,
    status: 'enabled',
    graph: Graph.parse([{ key: 'start', type: 'trigger', config }], []),
  };
  repository.counts = { dates: 49, segments: 0 };
  const id = await automations.add(owner, dated as typeof requested);
  repository.counts = { dates: 50, segments: 0 };
  await expect(automations.add(owner, dated as typeof requested)).rejects.toThrow('at most 50 triggers');
  await expect(automations.change(owner, id, { name: 'Other' })).rejects.toThrow('begin with a date');
});

it('a call leads to a public address, also while the automation is disabled', async () => {
  const call = (url: string) => ({ key: 'call', type: 'webhook', config: { url } });
  const steps = (url: string) => [{ key: 'start', type: 'trigger', config: { event_name: 'a' } }, call(url)];
  const wanted = (url: string) => ({ ...requested, graph: Graph.parse(steps(url), [{ from: 'start', to: 'call' }]) });
  await automations.add(owner, wanted('https://example.test/hooks'));
  await expect(automations.add(owner, wanted('https://127.0.0.1/'))).rejects.toThrow('Invalid step `call`: The `url`');
});

it('is stopped and removed, by those who may', async () => {
  const id = await automations.add(owner, requested);
  await automations.stop(owner, id);
  await automations.remove(owner, id);
  expect(repository.stopped).toEqual([
    { id, isDeleted: false },
    { id, isDeleted: true },
  ]);
  await expect(automations.find(teamId, id)).rejects.toThrow('Automation not found');
  const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
  await expect(automations.stop(viewer, id)).rejects.toThrow();
});

it('a run shows the steps that it has not come to, and only a running one is cancelled', async () => {
  const id = await automations.add(owner, requested);
  const at = new Date();
  const begun = { key: 'start', type: 'trigger', status: 'completed', output: null, error: null } as const;
  const run = {
    ...runExample({ teamId, automationId: id, stepKey: 'mail', createdAt: at, startedAt: at }),
    contactEmail: 'ada@example.com',
    graph,
    postponedBecause: null,
    dueAt: at,
    begun: new Map([['start', { ...begun, startedAt: at, completedAt: at }]]),
  };
  runs.runs.set(run.id, run);
  const { steps } = await automations.findRun(teamId, id, run.id);
  expect(steps.map(({ key, status }) => [key, status])).toEqual([
    ['start', 'completed'],
    ['mail', 'pending'],
  ]);
  await automations.cancelRun(owner, id, run.id);
  runs.runs.set(run.id, { ...run, status: 'completed' });
  await expect(automations.cancelRun(owner, id, run.id)).rejects.toThrow('The run is completed');
  await expect(automations.cancelRun(owner, id, newId())).rejects.toThrow('Automation run not found');
  expect((await automations.listRuns(teamId, id, { statuses: ['failed'] }, { limit: 10 })).items).toEqual([]);
  await expect(automations.listRuns(newId(), id, {}, { limit: 10 })).rejects.toThrow('Automation not found');
});
