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

/** The types that can be added, in the groups of the menu. */
export const addableTypes = {
  send: ['send_email', 'webhook', 'send_event'],
  wait: ['delay', 'wait_until', 'wait_for_event'],
  decide: ['condition', 'split', 'goal'],
  contact: ['contact_update', 'add_to_segment', 'remove_from_segment', 'contact_delete'],
} as const;

const branches: Readonly<Record<string, readonly string[]>> = {
  condition: ['condition_met', 'condition_not_met'],
  split: ['condition_met', 'condition_not_met'],
  wait_for_event: ['event_received', 'timeout'],
  webhook: ['default', 'failed'],
};

/** The connections that lead on from a type of step, the main one first. */
export function branchesOf(type: string): readonly string[] {
  return branches[type] ?? ['default'];
}

const firstConfigs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  delay: { duration: '1 day' },
  wait_for_event: { timeout: '3 days' },
  split: { percent: 50 },
  wait_until: { time: '09:00' },
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
  return { key, draft: inserted(draft, place, { key, type, config: firstConfigs[type] ?? {} }) };
}

/** The draft with a copy of a step behind it, on its main branch. */
export function withStepCopied(
  draft: AutomationDraft,
  key: string,
): { readonly draft: AutomationDraft; readonly key: string } | undefined {
  const step = draft.steps.find((each) => each.key === key);
  if (step === undefined || step.type === 'trigger') return undefined;
  const copy = freeKey(draft, key.replace(/ \d+$/, ''));
  return { key: copy, draft: inserted(draft, { from: key, branch: mainBranchOf(step) }, { ...step, key: copy }) };
}

/**
 * The draft with a step at another place. What follows on its other branches comes with it. Undefined: the step is a
 * trigger, or the place is its own or behind one of its other branches.
 */
export function withStepMoved(draft: AutomationDraft, key: string, place: Place): AutomationDraft | undefined {
  const step = draft.steps.find((each) => each.key === key);
  if (step === undefined || step.type === 'trigger' || place.from === key || targetOf(draft, place) === key) {
    return undefined;
  }
  const main = mainBranchOf(step);
  const next = targetOf(draft, { from: key, branch: main });
  const detached: AutomationDraft = {
    steps: draft.steps.filter((each) => each !== step),
    connections: bypassed(draft, key, next).filter(({ from, type }) => from !== key || type !== main),
  };
  if (reachedFrom([key], detached.connections).has(place.from)) return undefined;
  return inserted(detached, place, step);
}

/** The place before the step that leads to this one. Undefined: a trigger leads to it, or several steps do. */
export function placeAbove(draft: AutomationDraft, key: string): Place | undefined {
  const [into, ...others] = draft.connections.filter(({ to }) => to === key);
  if (into === undefined || others.length > 0) return undefined;
  const [above, ...more] = draft.connections.filter(({ to }) => to === into.from);
  return above === undefined || more.length > 0 ? undefined : { from: above.from, branch: above.type };
}

/** The place behind the step that follows this one on its main branch. */
export function placeBelow(draft: AutomationDraft, key: string): Place | undefined {
  const step = draft.steps.find((each) => each.key === key);
  const below = step === undefined ? undefined : targetOf(draft, { from: key, branch: mainBranchOf(step) });
  const next = draft.steps.find((each) => each.key === below);
  return next === undefined ? undefined : { from: next.key, branch: mainBranchOf(next) };
}

/** The draft with one more trigger, which leads to the same step as the first. */
export function withTrigger(
  draft: AutomationDraft,
  name: string,
): { readonly draft: AutomationDraft; readonly key: string } {
  const key = freeKey(draft, name);
  const triggers = draft.steps.filter(({ type }) => type === 'trigger');
  const next = targetOf(draft, { from: triggers[0]?.key ?? '', branch: 'default' });
  const steps = [...triggers, { key, type: 'trigger', config: {} }, ...draft.steps.slice(triggers.length)];
  const into = next === undefined ? [] : [{ from: key, to: next, type: 'default' }];
  return { key, draft: { steps, connections: [...draft.connections, ...into] } };
}

/**
 * The draft without a step. What followed on its main branch takes its place; what only its other branches led to goes
 * as well. The only trigger stays.
 */
export function withoutStep(draft: AutomationDraft, key: string): AutomationDraft {
  const step = draft.steps.find((each) => each.key === key);
  if (step === undefined || !canRemove(draft, step)) return draft;
  const connections = bypassed(draft, key, targetOf(draft, { from: key, branch: mainBranchOf(step) })).filter(
    ({ from }) => from !== key,
  );
  const steps = draft.steps.filter((each) => each !== step);
  const reached = reachedIn({ steps, connections });
  return {
    steps: steps.filter((each) => reached.has(each.key)),
    connections: connections.filter(({ from }) => reached.has(from)),
  };
}

export function canRemove(draft: AutomationDraft, { type }: DraftStep): boolean {
  return type !== 'trigger' || draft.steps.filter((each) => each.type === 'trigger').length > 1;
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

/** Fields that a trigger of ours needs besides its name. */
const neededByTrigger: Readonly<Record<string, readonly string[]>> = {
  'resend:segment.entered': ['segment_id'],
  'resend:topic.subscribed': ['topic_id'],
  'resend:contact.date': ['property'],
};

/** What a step still needs before it can be saved: a field of its config, or undefined. */
export function missingIn({ type, config }: DraftStep): string | undefined {
  const isGiven = (field: string): boolean => config[field] !== undefined && config[field] !== '';
  switch (type) {
    case 'trigger':
      if (!isGiven('event_name')) return 'event_name';
      return neededByTrigger[String(config.event_name)]?.find((field) => !isGiven(field));
    case 'send_email':
      return isGiven('template') ? undefined : 'template';
    case 'delay':
      return isGiven('duration') ? undefined : 'duration';
    case 'wait_for_event':
    case 'goal':
    case 'send_event':
      return isGiven('event_name') ? undefined : 'event_name';
    case 'webhook':
      return isGiven('url') ? undefined : 'url';
    case 'wait_until':
      return isGiven('time') ? undefined : 'time';
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
  return /^(?:event|contact|wait_events|webhooks)\../.test(name) ? { var: name } : text;
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

function mainBranchOf({ type }: DraftStep): string {
  return branchesOf(type)[0] ?? 'default';
}

/** What followed at the place follows the main branch of the step. */
function inserted(draft: AutomationDraft, place: Place, step: DraftStep): AutomationDraft {
  const next = targetOf(draft, place);
  const kept = draft.connections.filter(({ from, type: branch }) => from !== place.from || branch !== place.branch);
  const onwards = next === undefined ? [] : [{ from: step.key, to: next, type: mainBranchOf(step) }];
  const at = draft.steps.findIndex(({ key }) => key === place.from) + 1;
  return {
    steps: [...draft.steps.slice(0, at), step, ...draft.steps.slice(at)],
    connections: [...kept, { from: place.from, to: step.key, type: place.branch }, ...onwards],
  };
}

/** Connections to a step lead to the next one instead, if there is one. */
function bypassed(draft: AutomationDraft, key: string, next: string | undefined): readonly DraftConnection[] {
  return draft.connections.flatMap((connection) =>
    connection.to !== key ? [connection] : next === undefined ? [] : [{ ...connection, to: next }],
  );
}

function reachedIn({ steps, connections }: AutomationDraft): ReadonlySet<string> {
  return reachedFrom(
    steps.filter(({ type }) => type === 'trigger').map(({ key }) => key),
    connections,
  );
}

function reachedFrom(keys: readonly string[], connections: readonly DraftConnection[]): ReadonlySet<string> {
  const reached = new Set(keys);
  // A set goes on with what is added while it is walked.
  for (const key of reached) for (const { from, to } of connections) if (from === key) reached.add(to);
  return reached;
}
