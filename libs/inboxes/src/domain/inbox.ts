/** What an agent does with the mail of an inbox. It is stored for tools of the team: Postrider itself acts on nothing. */
export interface InboxAgent {
  readonly instructions: string | null;
  readonly tone: AgentTone | null;
  readonly actions: readonly AgentAction[];
}

export const agentTones = [
  'concise_professional',
  'concise_casual',
  'expanded_professional',
  'expanded_casual',
] as const;
export type AgentTone = (typeof agentTones)[number];

export const agentActions = [
  'draft_reply',
  'forward_thread',
  'add_labels',
  'assign_thread',
  'mark_as_spam',
  'archive',
  'move_to_trash',
] as const;
export type AgentAction = (typeof agentActions)[number];

/** An address of a team whose mail, received and sent, is kept in threads. */
export interface Inbox {
  /** UUIDv7. */
  readonly id: string;
  readonly teamId: string;
  /** The domain of the address. */
  readonly domainId: string;
  /** In lower case. */
  readonly address: string;
  /** The address of this service to which a server of the team forwards; null if the domain receives here. */
  readonly receivingAddress: string | null;
  /** For people. */
  readonly name: string | null;
  /** The name beside the address in the From field of what is sent. */
  readonly fromName: string | null;
  /** Number of threads with unread emails, without those in spam and trash. */
  readonly unread: number;
  readonly lastReceivedAt: Date | null;
  readonly agent: InboxAgent;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An inbox with what is counted only for one. */
export interface ShownInbox extends Inbox {
  /** Number of drafts that have not been sent. */
  readonly drafts: number;
}

export interface InboxLabel {
  readonly id: string;
  readonly name: string;
  /** `#RRGGBB` */
  readonly color: string;
  readonly createdAt: Date;
}

/** Of one team. */
export const maxInboxes = 1_000;
/** Of one inbox. */
export const maxLabels = 100;

export const maxNameLength = 64;
export const maxFromNameLength = 78;
export const maxLabelNameLength = 64;
export const maxInstructionsLength = 4_000;

/** Addresses of this service to which servers of teams forward. Nobody can guess one. */
export const receivingAddressForm = /^inbox-[0-9a-f]{32}@/;

export function newReceivingAddress(host: string): string {
  return `inbox-${crypto.randomUUID().replaceAll('-', '')}@${host}`;
}

/** For labels that ask for none: colours that stand apart and are readable on light and dark pages. */
const labelColors = ['#c2410c', '#b45309', '#4d7c0f', '#0f766e', '#0369a1', '#4338ca', '#7e22ce', '#be185d'] as const;

export function anyLabelColor(): string {
  return labelColors[Math.floor(Math.random() * labelColors.length)] as string;
}
