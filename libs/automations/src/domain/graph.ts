import { ValidationError } from '#kernel';
import { parseStep, AutomationStep, StepType, StoredStep } from './step.js';
import { TriggerAction } from './trigger.js';

export const connectionTypes = [
  'default',
  'condition_met',
  'condition_not_met',
  'event_received',
  'timeout',
  // An addition of Postrider.
  'failed',
] as const;
export type ConnectionType = (typeof connectionTypes)[number];

export interface StepConnection {
  readonly from: string;
  readonly to: string;
  readonly type: ConnectionType;
}

/** The steps of a version and the connections between them, as they are stored and as the API has them. */
export interface StoredGraph {
  readonly steps: readonly StoredStep[];
  readonly connections: readonly StepConnection[];
}

/** A trigger, and the key of its step. */
export interface GraphTrigger {
  readonly key: string;
  readonly action: TriggerAction;
}

export interface GraphReference {
  readonly key: string;
  readonly kind: 'segment' | 'topic' | 'template' | 'broadcast' | 'route';
  readonly id: string;
}

export const maxSteps = 150;
export const maxTriggers = 20;

/** The connections that lead on from each type of step. */
const branches: Readonly<Partial<Record<StepType, readonly ConnectionType[]>>> = {
  condition: ['condition_met', 'condition_not_met'],
  split: ['condition_met', 'condition_not_met'],
  wait_for_event: ['event_received', 'timeout'],
  webhook: ['default', 'failed'],
};
const unbranched: readonly ConnectionType[] = ['default'];

/**
 * The steps of an automation, without cycles: every run ends after at most as many steps as there are. A step with no
 * connection of the type that is asked for is the last one.
 */
export class Graph {
  /** Of a version that is gone. No run is in one of its steps. */
  static readonly empty = new Graph({ steps: [], connections: [] }, new Map(), new Map());

  /** The custom events for which runs wait, or which end them. */
  readonly awaited: ReadonlySet<string>;
  readonly sendsEvents: boolean;

  private constructor(
    readonly stored: StoredGraph,
    private readonly steps: ReadonlyMap<string, AutomationStep>,
    private readonly targets: ReadonlyMap<string, ReadonlyMap<ConnectionType, string>>,
  ) {
    const listening = [...steps.values()].flatMap(({ action }) =>
      action.type === 'wait_for_event' || action.type === 'goal' ? [action.eventName] : [],
    );
    this.sendsEvents = [...steps.values()].some(({ action }) => action.type === 'send_event');
    this.awaited = new Set(listening.filter((name) => !name.startsWith('resend:')));
  }

  /** Checks steps and connections from outside, in linear time. Throws ValidationError that names the step. */
  static parse(steps: readonly unknown[], connections: readonly unknown[]): Graph {
    if (steps.length === 0) throw new ValidationError('The `steps` field needs a trigger at least.');
    if (steps.length > maxSteps) throw new ValidationError(`An automation may have at most ${maxSteps} steps.`);
    if (connections.length > 2 * maxSteps) {
      throw new ValidationError(`An automation may have at most ${2 * maxSteps} connections.`);
    }
    const byKey = new Map<string, AutomationStep>();
    for (const step of steps.map(parseStep)) {
      const { key } = step.stored;
      if (byKey.has(key)) throw new ValidationError(`The \`key\` \`${key}\` is used by more than one step.`);
      byKey.set(key, step);
    }
    const parsed = connections.map((connection) => parseConnection(connection, byKey));
    const targets = targetsOf(parsed);
    const graph = new Graph(
      { steps: [...byKey.values()].map(({ stored }) => stored), connections: parsed },
      byKey,
      targets,
    );
    if (graph.triggers.length === 0) throw new ValidationError('The `steps` field needs a step of the type `trigger`.');
    graph.requireOneTriggerForEach();
    graph.requireOrder();
    return graph;
  }

  /** A graph that was checked before it was stored. */
  static of({ steps, connections }: StoredGraph): Graph {
    return Graph.parse(steps, connections);
  }

  get all(): readonly AutomationStep[] {
    return [...this.steps.values()];
  }

  get triggers(): readonly GraphTrigger[] {
    return this.all.flatMap(({ stored: { key }, action }) => (action.type === 'trigger' ? [{ key, action }] : []));
  }

  /** Ids or aliases of the templates that are sent, by the key of a step that sends them. */
  get templates(): ReadonlyMap<string, string> {
    return new Map(
      this.all.flatMap(({ stored: { key }, action }): [string, string][] =>
        action.type === 'send_email' ? [[action.templateId, key]] : [],
      ),
    );
  }

  /** What steps name by id, apart from the templates that they send: each once, with the first step that names it. */
  get references(): readonly GraphReference[] {
    const named = this.all.flatMap(({ stored: { key }, action }): GraphReference[] => {
      switch (action.type) {
        case 'add_to_segment':
        case 'remove_from_segment':
          return [{ key, kind: 'segment', id: action.segmentId }];
        case 'send_email':
          return action.topicId === undefined ? [] : [{ key, kind: 'topic', id: action.topicId }];
        case 'trigger':
          return namedByTrigger(action).map((reference) => ({ ...reference, key }));
        default:
          return [];
      }
    });
    return [...new Map(named.reverse().map((reference) => [`${reference.kind} ${reference.id}`, reference])).values()];
  }

  step(key: string): AutomationStep | undefined {
    return this.steps.get(key);
  }

  /** Undefined: the run ends here. */
  next(key: string, type: ConnectionType = 'default'): string | undefined {
    return this.targets.get(key)?.get(type);
  }

  /** The keys behind a trigger, in the order in which runs reach them, the trigger first. */
  orderFrom(trigger: string): readonly string[] {
    const order: string[] = [];
    const seen = new Set([trigger]);
    // Each step is pushed once, so that the stack holds at most as many as there are steps.
    for (let queue = [trigger]; queue.length > 0;) {
      order.push(...queue);
      queue = queue.flatMap((key) =>
        [...(this.targets.get(key)?.values() ?? [])].filter((to) => !seen.has(to) && seen.add(to)),
      );
    }
    return order;
  }

  /** An event starts one run in an automation. */
  private requireOneTriggerForEach(): void {
    const { triggers } = this;
    if (triggers.length > maxTriggers) {
      throw new ValidationError(`An automation may have at most ${maxTriggers} triggers.`);
    }
    const known = new Set<string>();
    for (const { key } of triggers) {
      const config = JSON.stringify(this.steps.get(key)?.stored.config);
      if (known.has(config)) throw new ValidationError(`The trigger \`${key}\` has the event of another trigger.`);
      known.add(config);
    }
  }

  /** Takes away one step after the other to which nothing leads any more: what is left is a cycle or behind one. */
  private requireOrder(): void {
    const incoming = new Map<string, number>();
    for (const { to } of this.stored.connections) incoming.set(to, (incoming.get(to) ?? 0) + 1);
    const free = this.triggers.map(({ key }) => key);
    const reached = new Set(free);
    for (let key = free.pop(); key !== undefined; key = free.pop()) {
      for (const to of this.targets.get(key)?.values() ?? []) {
        const left = (incoming.get(to) ?? 0) - 1;
        incoming.set(to, left);
        if (left > 0) continue;
        reached.add(to);
        free.push(to);
      }
    }
    const unreached = [...this.steps.keys()].find((key) => !reached.has(key));
    if (unreached === undefined) return;
    throw new ValidationError(
      (incoming.get(unreached) ?? 0) === 0
        ? `The step \`${unreached}\` cannot be reached from a trigger.`
        : `The step \`${unreached}\` is part of a circle, or cannot be reached from a trigger.`,
    );
  }
}

function parseConnection(given: unknown, steps: ReadonlyMap<string, AutomationStep>): StepConnection {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ValidationError('Each of the `connections` must be an object.');
  }
  const { from, to, type } = given as Readonly<Record<string, unknown>>;
  const [source, target] = [stepOf('from', from, steps), stepOf('to', to, steps)];
  const known = connectionTypes.find(
    (each) => each === (type === undefined || type === null || type === '' ? 'default' : type),
  );
  const allowed = allowedFrom(source.stored.type);
  if (known === undefined || !allowed.includes(known)) {
    throw new ValidationError(
      `A connection from the step \`${source.stored.key}\` must have the \`type\` ${allowed.map((each) => `\`${each}\``).join(' or ')}.`,
    );
  }
  if (target.action.type === 'trigger') {
    throw new ValidationError(`No connection may lead to the trigger \`${target.stored.key}\`.`);
  }
  return { from: source.stored.key, to: target.stored.key, type: known };
}

function allowedFrom(type: StepType): readonly ConnectionType[] {
  return branches[type] ?? unbranched;
}

function stepOf(field: string, key: unknown, steps: ReadonlyMap<string, AutomationStep>): AutomationStep {
  const step = typeof key === 'string' ? steps.get(key) : undefined;
  if (step !== undefined) return step;
  const name = typeof key === 'string' ? key.slice(0, 255) : '';
  throw new ValidationError(`The \`${field}\` of a connection names no step: \`${name}\`.`);
}

function targetsOf(connections: readonly StepConnection[]): ReadonlyMap<string, ReadonlyMap<ConnectionType, string>> {
  const targets = new Map<string, Map<ConnectionType, string>>();
  for (const { from, to, type } of connections) {
    const own = targets.get(from) ?? new Map<ConnectionType, string>();
    if (own.has(type))
      throw new ValidationError(`The step \`${from}\` has more than one connection of the type \`${type}\`.`);
    targets.set(from, own.set(type, to));
  }
  return targets;
}

function namedByTrigger({ eventName, subjectId, fields }: TriggerAction): readonly Omit<GraphReference, 'key'>[] {
  const { template_id: template, broadcast_id: broadcast } = fields;
  const named: Omit<GraphReference, 'key'>[] = [];
  if (template !== undefined) named.push({ kind: 'template', id: template });
  if (broadcast !== undefined) named.push({ kind: 'broadcast', id: broadcast });
  if (subjectId !== null && eventName === 'resend:segment.entered') named.push({ kind: 'segment', id: subjectId });
  if (subjectId !== null && eventName === 'resend:topic.subscribed') named.push({ kind: 'topic', id: subjectId });
  if (subjectId !== null && eventName === 'resend:email.received') named.push({ kind: 'route', id: subjectId });
  return named;
}
