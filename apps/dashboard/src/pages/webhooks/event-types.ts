import { webhookEventTypes } from '../../api/schema.gen';

/** By the subject with which a type begins: the groups of the form, in its order. */
const groups = {
  email: 'emails',
  inbox: 'inboxes',
  contact: 'contacts',
  domain: 'domains',
  suppression: 'suppressions',
  topic: 'topics',
} as const;

/** Threads of inboxes are assigned to nobody. */
const neverHappen: readonly string[] = ['inbox.thread.assigned', 'inbox.thread.unassigned'];

type Subject<Type> = Type extends `${infer First}.${string}` ? First : never;
// A type of the API whose subject has no group does not compile.
const subjects = Object.keys(groups) as Subject<(typeof webhookEventTypes)[number]>[];

/** The types that occur, by group. */
export const eventGroups: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  subjects.map((subject) => [
    groups[subject],
    webhookEventTypes.filter((type) => type.startsWith(`${subject}.`) && !neverHappen.includes(type)),
  ]),
);
