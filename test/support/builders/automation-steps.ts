import { Resend } from 'resend';
import type { ParsedJson } from '../runner/parsed-json.js';
import { testSender } from '../programs/program.js';
import { until } from '../runner/until.js';

type NewAutomation = Parameters<Resend['automations']['create']>[0];
export type Steps = NewAutomation['steps'];
export type AutomationGraph = Pick<NewAutomation, 'steps' | 'connections'>;

/** The steps one after the other, behind a trigger with the event of this name. */
export function chain(eventName: string, ...steps: Steps): AutomationGraph {
  const all: Steps = [{ key: 'start', type: 'trigger', config: { eventName } }, ...steps];
  return { steps: all, connections: steps.map(({ key }, no) => ({ from: all[no]?.key ?? '', to: key })) };
}

export const isDone = ({ status }: ParsedJson): boolean => status !== 'running';

export const waits =
  (key: string) =>
  ({ steps }: ParsedJson): boolean =>
    steps.some((step: ParsedJson) => step.key === key && step.status === 'waiting');

/** The status of each step of a run, by key. */
export const statusesOf = ({ steps }: ParsedJson): unknown =>
  Object.fromEntries(steps.map(({ key, status }: ParsedJson) => [key, status]));

/** Automations, events and runs of a program, through the client. */
export class AutomationSteps {
  constructor(private readonly resend: Resend) {}

  /** The id of a published template, whose variable `PLAN` has a fallback. */
  async template(fields: object = {}): Promise<string> {
    const { data } = await this.resend.templates.create({
      name: 'Welcome',
      subject: 'Welcome',
      from: testSender,
      html: '<p>Welcome to {{{PLAN}}} plan, {{{FIRST_NAME|friend}}}</p>',
      variables: [{ key: 'PLAN', type: 'string', fallbackValue: 'our' }],
      ...fields,
    });
    const id = data?.id ?? '';
    const { error } = await this.resend.templates.publish(id);
    if (error !== null) throw new Error(error.message);
    return id;
  }

  async enabled(graph: AutomationGraph): Promise<string> {
    const { data, error } = await this.resend.automations.create({ name: 'Test', status: 'enabled', ...graph });
    if (data === null) throw new Error(error.message);
    return data.id;
  }

  async sent(event: string, email: string, payload?: Record<string, unknown>): Promise<void> {
    const { error } = await this.resend.events.send({ event, email, payload });
    if (error !== null) throw new Error(error.message);
  }

  async runsOf(automationId: string): Promise<readonly ParsedJson[]> {
    const { data } = await this.resend.automations.runs.list({ automationId, limit: 100 });
    return data?.data ?? [];
  }

  /** The newest run of an automation, once it is as expected. */
  runThat(automationId: string, isExpected: (run: ParsedJson) => boolean): Promise<ParsedJson> {
    return until(async () => {
      const [run] = await this.runsOf(automationId);
      if (run === undefined) return undefined;
      const { data } = await this.resend.automations.runs.get({ automationId, runId: run.id as string });
      const whole = data as unknown as ParsedJson;
      return isExpected(whole) && whole;
    });
  }
}
