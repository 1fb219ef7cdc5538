import { positionIn } from '../../../libs/automations/src/domain/run-fields.js';

/** A contact with the event that begins its run. */
export interface Person {
  readonly no: number;
  readonly contactId: string;
}

/** What happens to a run that waits: its event, its goal, or nothing until its time has come. */
export type Happening = 'event' | 'goal' | 'time';

/** How a run ends, and what it leaves behind. */
export interface Ending {
  readonly status: 'completed' | 'failed';
  /** Status by key of each step that it came to. */
  readonly steps: Readonly<Record<string, string>>;
  /** Keys of the steps whose emails were sent. */
  readonly emails: readonly string[];
  /** Keys of the steps that called a service. */
  readonly calls: readonly string[];
  /** Keys of the steps that sent an event. */
  readonly events: readonly string[];
  /** Undefined: it was deleted. */
  readonly contact: ContactState | undefined;
}

export interface ContactState {
  readonly firstName: string | null;
  readonly unsubscribed: boolean;
  readonly segments: readonly string[];
}

interface Walk {
  readonly person: Person;
  readonly steps: Record<string, string>;
  readonly emails: string[];
  readonly calls: string[];
  readonly events: string[];
  readonly goals: string[];
  /** What called services have answered, by key of the step. */
  readonly scores: Record<string, number>;
  contact: { firstName: string | null; unsubscribed: boolean; segments: Set<string> } | undefined;
}

/** One step with its model: `go` changes the walk as the step changes the world, and returns the connection. */
interface ModelStep {
  readonly key: string;
  readonly type: string;
  readonly config: object;
  readonly ways: readonly string[];
  readonly go: (walk: Walk) => string;
}

export interface RandomAutomationParts {
  readonly template: string;
  readonly segments: readonly string[];
  /** Address of the service that is called for a step. */
  readonly service: (key: string) => string;
}

/** The event that the steps `send_event` send. */
export const sentEvent = 'echo';
export const beginning = 'begun';
const length = 20;

/** Numbers from 0 to 1 that are the same for a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same for a person and a step in each run of the test. */
function chanceOf(no: number, key: string): number {
  return positionIn(key, `person ${no}`) / 100;
}

/** The score that the called service answers. */
export const scoreOf = (no: number, key: string): number => Math.floor(chanceOf(no, `score ${key}`) * 10);
/** Whether the called service fails for this person, whenever it is called. */
export const isRefused = (no: number, key: string): boolean => chanceOf(no, `refused ${key}`) < 0.05;
/** Whether the first call for this person fails. */
export const isTroubled = (no: number, key: string): boolean => chanceOf(no, `troubled ${key}`) < 0.05;

/**
 * A random graph of all kinds of steps, and a model of it that knows nothing of the program but how contacts are split.
 * Steps lead only to later ones, and branches join.
 */
export class RandomAutomation {
  private readonly steps: readonly ModelStep[];
  private readonly next = new Map<string, string>();

  constructor(seed: number, parts: RandomAutomationParts) {
    const random = randomFrom(seed);
    const kinds = Object.values(kindsOfSteps);
    const order = Array.from({ length }, (_, no) => ({ kind: kinds[no % kinds.length] as StepKind, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ kind }) => kind);
    // Late, so that most runs do not lose their contact at once.
    order.splice(length - 4, 0, contactDelete);
    const steps: ModelStep[] = [];
    for (const [no, kind] of order.entries()) steps.push(kind(`step ${no}`, random, parts, steps));
    this.steps = steps;
    for (const [no, { key, ways }] of steps.entries()) {
      for (const way of ways) {
        const later = steps[no + 1 + Math.floor(random() * 3)];
        if (later !== undefined) this.next.set(`${key} ${way}`, later.key);
      }
    }
    // Each is reached, by the step before it if by no other.
    for (const [no, { key, ways }] of steps.entries()) {
      const following = steps[no + 1];
      if (following !== undefined && ![...this.next.values()].includes(following.key)) {
        this.next.set(`${key} ${ways.at(-1)}`, following.key);
      }
    }
  }

  /** As `POST /automations` takes it. */
  get graph(): { readonly steps: readonly object[]; readonly connections: readonly object[] } {
    const start = { key: 'start', type: 'trigger', config: { event_name: beginning } };
    const connections = this.steps.flatMap(({ key, ways }) =>
      ways.flatMap((type) => {
        const to = this.next.get(`${key} ${type}`);
        return to === undefined ? [] : [{ from: key, to, type }];
      }),
    );
    return {
      steps: [start, ...this.steps.map(({ key, type, config }) => ({ key, type, config }))],
      connections: [{ from: 'start', to: this.steps[0]?.key }, ...connections],
    };
  }

  typeOf(key: string): string {
    return this.steps.find((step) => step.key === key)?.type ?? 'trigger';
  }

  /** Keys of the steps in which a run rests until something happens. */
  get restingKeys(): readonly string[] {
    return this.steps.filter(({ type }) => type === 'wait_for_event' || type === 'wait_until').map(({ key }) => key);
  }

  /** What the test lets happen to a run that waits in a step. */
  happening({ no }: Person, key: string, goals: readonly string[], isThere: boolean): Happening {
    const chance = chanceOf(no, `happening ${key}`);
    if (isThere && goals.length > 0 && chance < 0.15) return 'goal';
    return isThere && this.typeOf(key) === 'wait_for_event' && chance < 0.7 ? 'event' : 'time';
  }

  endingOf(person: Person): Ending {
    const walk: Walk = {
      person,
      steps: { start: 'completed' },
      emails: [],
      calls: [],
      events: [],
      goals: [],
      scores: {},
      contact: { firstName: null, unsubscribed: false, segments: new Set() },
    };
    let status: Ending['status'] = 'completed';
    for (let key = this.steps[0]?.key; key !== undefined;) {
      const step = this.steps.find((each) => each.key === key) as ModelStep;
      walk.steps[key] = 'completed';
      if (this.restingKeys.includes(key) && this.happening(person, key, walk.goals, isThere(walk)) === 'goal') {
        walk.steps[key] = 'skipped';
        break;
      }
      const way = step.go(walk);
      const next = this.next.get(`${key} ${way === 'time' ? this.wayInTime(person, key, walk) : way}`);
      if (walk.steps[key] === 'failed' && next === undefined) status = 'failed';
      key = next;
    }
    const { steps, emails, calls, events, contact } = walk;
    const left = contact === undefined ? undefined : { ...contact, segments: [...contact.segments].sort() };
    return { status, steps, emails, calls, events, contact: left };
  }

  private wayInTime(person: Person, key: string, walk: Walk): string {
    if (this.typeOf(key) === 'wait_until') return 'default';
    return this.happening(person, key, walk.goals, isThere(walk)) === 'event' ? 'event_received' : 'timeout';
  }
}

const isThere = ({ contact }: Walk): boolean => contact !== undefined;

type StepKind = (
  key: string,
  random: () => number,
  parts: RandomAutomationParts,
  earlier: readonly ModelStep[],
) => ModelStep;

const branches = ['condition_met', 'condition_not_met'] as const;
const met = (result: boolean): string => (result ? 'condition_met' : 'condition_not_met');

/** Does something with the contact, or is skipped because it was deleted. */
function withContact(walk: Walk, key: string, act: (contact: NonNullable<Walk['contact']>) => void): string {
  if (walk.contact === undefined) walk.steps[key] = 'skipped';
  else act(walk.contact);
  return 'default';
}

const single = ['default'] as const;

const contactDelete: StepKind = (key) => ({
  key,
  type: 'contact_delete',
  ways: single,
  config: {},
  go: (walk) => withContact(walk, key, () => (walk.contact = undefined)),
});

const kindsOfSteps: Readonly<Record<string, StepKind>> = {
  send_email: (key, _, { template }) => ({
    key,
    type: 'send_email',
    ways: single,
    config: { template: { id: template }, subject: key },
    go: (walk) =>
      withContact(walk, key, ({ unsubscribed }) => {
        if (unsubscribed) walk.steps[key] = 'skipped';
        else walk.emails.push(key);
      }),
  }),
  delay: (key) => ({ key, type: 'delay', ways: single, config: { duration: '1 second' }, go: () => 'default' }),
  wait_for_event: (key) => ({
    key,
    type: 'wait_for_event',
    ways: ['event_received', 'timeout'],
    go: () => 'time',
    config: {
      event_name: 'awaited',
      timeout: '2 days',
      filter_rule: { type: 'rule', field: 'event.step', operator: 'eq', value: key },
    },
  }),
  wait_until: (key) => ({
    key,
    type: 'wait_until',
    ways: single,
    go: () => 'time',
    // Far from now, whatever the time is.
    config: { time: `${String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')}:00` },
  }),
  goal: (key) => ({
    key,
    type: 'goal',
    ways: single,
    config: { event_name: `reached ${key}` },
    go: (walk) => {
      walk.goals.push(key);
      return 'default';
    },
  }),
  payload: (key, random) => {
    const divisor = 2 + Math.floor(random() * 4);
    return {
      key,
      type: 'condition',
      ways: branches,
      config: { type: 'rule', field: `event.by_${divisor}`, operator: 'eq', value: 0 },
      go: ({ person: { no } }) => met(no % divisor === 0),
    };
  },
  answer: (key, _random, _parts, earlier) => {
    const called = earlier.findLast(({ type }) => type === 'webhook')?.key ?? 'none';
    return {
      key,
      type: 'condition',
      ways: branches,
      config: { type: 'rule', field: `webhooks.${called}.score`, operator: 'gte', value: 5 },
      go: ({ scores }) => met((scores[called] ?? 0) >= 5),
    };
  },
  name: (key) => ({
    key,
    type: 'condition',
    ways: branches,
    config: {
      type: 'and',
      rules: [
        { type: 'rule', field: 'contact.first_name', operator: 'exists' },
        { type: 'rule', field: 'contact.unsubscribed', operator: 'eq', value: false },
      ],
    },
    go: ({ contact }) => met(contact !== undefined && contact.firstName !== null && !contact.unsubscribed),
  }),
  split: (key, random) => {
    const percent = Math.round(20 + random() * 60);
    return {
      key,
      type: 'split',
      ways: branches,
      config: { percent },
      go: ({ person: { contactId } }) => met(positionIn(key, contactId) < percent),
    };
  },
  contact_update: (key, random) => {
    const leaves = random() < 0.3;
    return {
      key,
      type: 'contact_update',
      ways: single,
      config: { first_name: { var: 'event.name' }, ...(leaves ? { unsubscribed: { var: 'event.leaves' } } : {}) },
      go: (walk) =>
        withContact(walk, key, (contact) => {
          contact.firstName = `Person ${walk.person.no}`;
          if (leaves) contact.unsubscribed = walk.person.no % 7 === 0;
        }),
    };
  },
  add_to_segment: (key, random, { segments }) => {
    const segment = segments[Math.floor(random() * segments.length)] as string;
    return {
      key,
      type: 'add_to_segment',
      ways: single,
      config: { segment_id: segment },
      go: (walk) => withContact(walk, key, (contact) => contact.segments.add(segment)),
    };
  },
  remove_from_segment: (key, random, { segments }) => {
    const segment = segments[Math.floor(random() * segments.length)] as string;
    return {
      key,
      type: 'remove_from_segment',
      ways: single,
      config: { segment_id: segment },
      go: (walk) => withContact(walk, key, (contact) => contact.segments.delete(segment)),
    };
  },
  send_event: (key) => ({
    key,
    type: 'send_event',
    ways: single,
    config: { event_name: sentEvent, payload: { step: key } },
    go: (walk) => withContact(walk, key, () => walk.events.push(key)),
  }),
  webhook: (key, _, { service }) => ({
    key,
    type: 'webhook',
    ways: ['default', 'failed'],
    config: { url: service(key), body: { no: { var: 'event.no' }, step: key } },
    go: (walk) => {
      walk.calls.push(key);
      if (!isRefused(walk.person.no, key)) {
        walk.scores[key] = scoreOf(walk.person.no, key);
        return 'default';
      }
      walk.steps[key] = 'failed';
      return 'failed';
    },
  }),
};

/** The payload of the event that begins the run of a person. */
export function payloadOf({ no }: Person): object {
  const remainders = Object.fromEntries([2, 3, 4, 5].map((divisor) => [`by_${divisor}`, no % divisor]));
  return { no, name: `Person ${no}`, leaves: no % 7 === 0, ...remainders };
}
