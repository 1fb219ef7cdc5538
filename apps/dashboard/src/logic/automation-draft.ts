/** An automation while it is drawn: the steps and connections of the API (`docs/automations.md`). */
export interface AutomationDraft {
  readonly steps: readonly DraftStep[];
  readonly connections: readonly DraftConnection[];
}

export interface DraftStep {
  readonly key: string;
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface DraftConnection {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

/** A place at which a step can be added: behind a step, on one of its branches. */
export interface Place {
  readonly from: string;
  readonly branch: string;
}

/** The types that can be added, in the order of the menu. */
export const addableTypes = [
  'send_email',
  'delay',
  'wait_for_event',
  'condition',
  'split',
  'contact_update',
  'add_to_segment',
  'remove_from_segment',
  'contact_delete',
] as const;

const branches: Readonly<Record<string, readonly string[]>> = {
  condition: ['condition_met', 'condition_not_met'],
  split: ['condition_met', 'condition_not_met'],
  wait_for_event: ['event_received', 'timeout'],
};

/** The connections that lead on from a type of step, the main one first. */
export function branchesOf(type: string): readonly string[] {
  return branches[type] ?? ['default'];
}

const firstConfigs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  delay: { duration: '1 day' },
  wait_for_event: { timeout: '3 days' },
  split: { percent: 50 },
};

export function targetOf(draft: AutomationDraft, { from, branch }: Place): string | undefined {
  return draft.connections.find((each) => each.from === from && each.type === branch)?.to;
}

/** Every place at which no step follows yet. */
export function openPlaces(draft: AutomationDraft): readonly Place[] {
  return draft.steps
    .flatMap(({ key, type }) => branchesOf(type).map((branch): Place => ({ from: key, branch })))
    .filter((place) => targetOf(draft, place) === undefined);
}

/** The draft with a new step at a place, and its key. What followed there follows the main branch of the new step. */
export function withStepAt(
  draft: AutomationDraft,
  place: Place,
  type: string,
  name: string,
): { readonly draft: AutomationDraft; readonly key: string } {
  const key = freeKey(draft, name);
  const step: DraftStep = { key, type, config: firstConfigs[type] ?? {} };
  const next = targetOf(draft, place);
  const kept = draft.connections.filter(({ from, type: branch }) => from !== place.from || branch !== place.branch);
  const into = { from: place.from, to: key, type: place.branch };
  const onwards = next === undefined ? [] : [{ from: key, to: next, type: branchesOf(type)[0] ?? 'default' }];
  const at = draft.steps.findIndex(({ key: known }) => known === place.from) + 1;
  return {
    key,
    draft: {
      steps: [...draft.steps.slice(0, at), step, ...draft.steps.slice(at)],
      connections: [...kept, into, ...onwards],
    },
  };
}

/**
 * The draft without a step. What followed on its main branch takes its place; what only its other branches led to goes
 * as well. A trigger stays.
 */
export function withoutStep(draft: AutomationDraft, key: string): AutomationDraft {
  const step = draft.steps.find((each) => each.key === key);
  if (step === undefined || step.type === 'trigger') return draft;
  const next = targetOf(draft, { from: key, branch: branchesOf(step.type)[0] ?? 'default' });
  const connections = draft.connections
    .filter(({ from }) => from !== key)
    .flatMap((connection) =>
      connection.to !== key ? [connection] : next === undefined ? [] : [{ ...connection, to: next }],
    );
  const steps = draft.steps.filter((each) => each !== step);
  const reached = reachedIn({ steps, connections });
  return {
    steps: steps.filter((each) => reached.has(each.key)),
    connections: connections.filter(({ from }) => reached.has(from)),
  };
}

export function withConfig(draft: AutomationDraft, key: string, config: DraftStep['config']): AutomationDraft {
  return { ...draft, steps: draft.steps.map((step) => (step.key === key ? { ...step, config } : step)) };
}

/** The draft with another key for a step; the same draft if the key is empty or taken. */
export function withKey(draft: AutomationDraft, key: string, wanted: string): AutomationDraft {
  if (wanted.trim() === '' || draft.steps.some((step) => step.key === wanted)) return draft;
  const renamed = (known: string): string => (known === key ? wanted : known);
  return {
    steps: draft.steps.map((step) => ({ ...step, key: renamed(step.key) })),
    connections: draft.connections.map(({ from, to, type }) => ({ from: renamed(from), to: renamed(to), type })),
  };
}

/** What a step still needs before it can be saved: a field of its config, or undefined. */
export function missingIn({ type, config }: DraftStep): string | undefined {
  const isGiven = (field: string): boolean => config[field] !== undefined && config[field] !== '';
  switch (type) {
    case 'trigger':
      return isGiven('event_name') ? undefined : 'event_name';
    case 'send_email':
      return isGiven('template') ? undefined : 'template';
    case 'delay':
      return isGiven('duration') ? undefined : 'duration';
    case 'wait_for_event':
      return isGiven('event_name') ? undefined : 'event_name';
    case 'condition':
      return isGiven('type') ? undefined : 'rule';
    case 'contact_update':
      return Object.keys(config).length > 0 ? undefined : 'fields';
    case 'add_to_segment':
    case 'remove_from_segment':
      return isGiven('segment_id') ? undefined : 'segment_id';
    default:
      return undefined;
  }
}

/** The step that a refusal of the server names, such as "Invalid step `a day`: …". */
export function stepNamedIn(draft: AutomationDraft, message: string): string | undefined {
  const named = [...message.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  return draft.steps.find(({ key }) => named.includes(key))?.key;
}

/** A value that is written as `{{event.plan}}` is a variable; anything else is the text itself. */
export function valueOfText(text: string): string | { readonly var: string } {
  const name = /^\{\{([^{}]+)\}\}$/.exec(text.trim())?.[1]?.trim() ?? '';
  return /^(?:event|contact|wait_events)\../.test(name) ? { var: name } : text;
}

export function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object' && 'var' in value) return `{{${String(value.var)}}}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function freeKey(draft: AutomationDraft, name: string): string {
  const taken = new Set(draft.steps.map(({ key }) => key));
  let key = name;
  for (let no = 2; taken.has(key); no++) key = `${name} ${no}`;
  return key;
}

function reachedIn({ steps, connections }: AutomationDraft): ReadonlySet<string> {
  const reached = new Set(steps.filter(({ type }) => type === 'trigger').map(({ key }) => key));
  // A set goes on with what is added while it is walked.
  for (const key of reached) for (const { from, to } of connections) if (from === key) reached.add(to);
  return reached;
}
