import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { AutomationSteps, isDone } from '../support/builders/automation-steps.js';
import { McpClient } from '../support/clients/mcp-client.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testApiKey, TestProgram } from '../support/programs/program.js';

const run = promisify(execFile);
let program: TestProgram;
let automations: AutomationSteps;
let template: string;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()));
  automations = new AutomationSteps(program.resend);
  template = await automations.template();
});

afterAll(() => program.stop());

it('the tools of assistants define events, and create, change, read, copy and remove automations', async () => {
  const mcp = await McpClient.start(program.url, testApiKey);
  const steps = [
    { key: 'trigger', type: 'trigger', config: { eventName: 'trial.ended' }, next: 'condition_1' },
    {
      key: 'condition_1',
      type: 'condition',
      config: { type: 'rule', field: 'event.converted', operator: 'eq', value: true },
      branches: { condition_met: null, condition_not_met: 'send_email_1' },
    },
    {
      key: 'send_email_1',
      type: 'send_email',
      config: { template: { id: template, variables: { PLAN: { var: 'event.plan' } } }, subject: 'Come back' },
      next: 'wait_event_1',
    },
    {
      key: 'wait_event_1',
      type: 'wait_for_event',
      config: { eventName: 'resend:email.delivered', timeout: '3 days' },
      branches: { event_received: 'contact_update_1', timeout: null },
    },
    { key: 'contact_update_1', type: 'contact_update', config: { lastName: 'Reached' }, next: null },
  ];
  try {
    const event = await mcp.call('manage-events', {
      action: 'create',
      name: 'trial.ended',
      schema: { plan: 'string' },
    });
    expect(event).toContain('trial.ended');
    expect(await mcp.call('manage-events', { action: 'list' })).toContain('{"plan":"string"}');
    const made = await mcp.call('create-automation', { name: 'Win back', workflow: { steps } });
    const id = /ID: (\S+)/.exec(made)?.[1] ?? '';
    expect(await mcp.call('update-automation', { id, status: 'enabled', name: 'Win them back' })).toContain(id);
    const read = await mcp.call('get-automation', { id: `https://resend.com/automations/${id}/editor` });
    expect(JSON.parse(read.slice(read.indexOf('{'), read.lastIndexOf('}') + 1))).toMatchObject({
      steps: steps.map(({ config: _, ...step }) => step),
    });
    expect(await mcp.call('get-automation', { status: 'enabled' })).toContain('Win them back');
    await mcp.call('send-event', { event: 'trial.ended', email: 'eve@sink.test', payload: { plan: 'Pro' } });
    const { id: runId } = await automations.runThat(id, isDone);
    const story = await mcp.call('get-automation-runs', { automationId: id, runId });
    expect(story).toContain('contact_update_1 (contact_update): completed');
    expect(await mcp.call('get-automation-runs', { automationId: id, status: 'completed' })).toContain(runId);
    const copied = await mcp.call('duplicate-automation', { id });
    expect(copied).not.toContain('Error');
    expect(await mcp.call('remove-automation', { id })).toContain(id);
    await expect(mcp.call('get-automation', { id })).rejects.toThrow('Automation not found');
  } finally {
    mcp.stop();
  }
}, 60_000);

it('the command line does so as well', async () => {
  const cli = join(dirname(createRequire(import.meta.url).resolve('resend-cli/package.json')), 'dist/cli.cjs');
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    RESEND_API_KEY: testApiKey,
    RESEND_BASE_URL: program.url,
    RESEND_TELEMETRY_DISABLED: '1',
    RESEND_NO_UPDATE_NOTIFIER: '1',
  };
  const json = async (...args: string[]): Promise<ParsedJson> => {
    const { stdout } = await run(process.execPath, [cli, ...args, '--json'], { env });
    return JSON.parse(stdout);
  };
  const event = await json('events', 'create', '--name', 'user.created', '--schema', '{"plan":"string"}');
  expect(await json('events', 'update', event.id, '--schema', 'null')).toMatchObject({ id: event.id });
  expect(await json('events', 'get', event.id)).toMatchObject({ name: 'user.created', schema: null });
  const steps = [
    { key: 'start', type: 'trigger', config: { eventName: 'user.created' } },
    { key: 'later', type: 'delay', config: { duration: '1 day' } },
  ];
  const graph = ['--steps', JSON.stringify(steps), '--connections', '[{"from":"start","to":"later"}]'];
  const { id } = await json('automations', 'create', '--name', 'Welcome', '--status', 'enabled', ...graph);
  expect(await json('events', 'send', '--event', 'user.created', '--email', 'bob@sink.test')).toMatchObject({
    event: 'user.created',
  });
  const { id: runId } = await automations.runThat(id, ({ steps: all }) => all[1]?.status === 'waiting');
  expect(await json('automations', 'runs', 'list', id)).toMatchObject({ data: [{ id: runId, status: 'running' }] });
  expect(await json('automations', 'runs', 'get', '--automation-id', id, '--run-id', runId)).toMatchObject({
    steps: [{ key: 'start' }, { key: 'later', status: 'waiting' }],
  });
  expect(await json('automations', 'update', id, '--status', 'disabled')).toMatchObject({ id });
  expect(await json('automations', 'stop', id)).toMatchObject({ status: 'disabled' });
  expect(await json('automations', 'runs', 'list', id, '--status', 'cancelled')).toMatchObject({
    data: [{ id: runId }],
  });
  const copy = await json('automations', 'duplicate', id);
  const listed = (await json('automations', 'list', '--limit', '2')).data;
  expect(listed.map((each: ParsedJson) => each.id)).toEqual([copy.id, id]);
  expect(await json('automations', 'delete', id, '--yes')).toMatchObject({ deleted: true });
  expect(await json('events', 'delete', event.id, '--yes')).toMatchObject({ deleted: true });
  await expect(json('automations', 'get', id)).rejects.toMatchObject({ code: 1 });
}, 120_000);
