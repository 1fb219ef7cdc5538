import { EmailAddress, parseEmailAddress, storableField, ValidationError } from '#kernel';
import { AgentAction, agentActions, AgentTone, agentTones } from './inbox.js';

/** In UTF-16 units, like the lengths below. */
export const maxInboxNameLength = 64;
export const maxFromNameLength = 78;
export const maxLabelNameLength = 64;
export const maxInstructionsLength = 4_000;

/** What breaks a line or a header, and half of a surrogate pair. */
const unprintable = /[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}]/u;

/** The address of an inbox: in lower case, also before the `@`. */
export function parseInboxAddress(text: string): EmailAddress {
  const parsed = parseEmailAddress(text.trim().toLowerCase());
  if (parsed !== undefined) return parsed;
  throw new ValidationError(
    'Invalid `email_address` field. The email address needs to follow the `email@example.com` format.',
  );
}

/** Undefined if no inbox can have the address. */
export function parseSoughtAddress(text: string): string | undefined {
  return parseEmailAddress(text.trim().toLowerCase())?.address;
}

export function parseInboxName(text: string): string {
  return oneLine('name', text, maxInboxNameLength);
}

export function parseFromName(text: string): string {
  const name = oneLine('from_name', text, maxFromNameLength);
  if (!/[:<>]/.test(name)) return name;
  throw new ValidationError('The `from_name` field is a name without an address: it must not have `:`, `<` or `>`.');
}

export function parseLabelName(text: string): string {
  return oneLine('name', text, maxLabelNameLength);
}

export function parseLabelColor(text: string): string {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text;
  throw new ValidationError('The `color` field must have the form `#RRGGBB`.');
}

export function parseInstructions(text: string): string {
  if (text.length <= maxInstructionsLength) return storableField('instructions', text);
  throw new ValidationError(`The \`instructions\` field may have at most ${maxInstructionsLength} characters.`);
}

export function parseTone(text: unknown): AgentTone {
  const tone = agentTones.find((known) => known === text);
  if (tone !== undefined) return tone;
  throw new ValidationError(`The \`tone\` must be one of ${listOf(agentTones)}.`);
}

/** Each of them once. */
export function parseActions(texts: readonly unknown[]): readonly AgentAction[] {
  if (texts.some((text) => !agentActions.some((known) => known === text))) {
    throw new ValidationError(`Each of the \`actions\` must be one of ${listOf(agentActions)}.`);
  }
  return agentActions.filter((known) => texts.includes(known));
}

function oneLine(field: string, text: string, max: number): string {
  const name = text.trim();
  if (name !== '' && name.length <= max && !unprintable.test(name)) return name;
  throw new ValidationError(`The \`${field}\` field must be one line of 1 to ${max} characters.`);
}

const listOf = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ');

/** Colours that are told apart, on a light and on a dark background. */
const labelColors = [
  '#E5484D',
  '#E93D82',
  '#AB4ABA',
  '#6E56CF',
  '#3E63DD',
  '#0090FF',
  '#12A594',
  '#30A46C',
  '#978365',
  '#F76B15',
] as const;

/** The colour of a label for which none was chosen. `random` in [0, 1). */
export function someColor(random: number): string {
  return labelColors[Math.floor(random * labelColors.length)] ?? labelColors[0];
}

const receivingAddressForm = /^inbox-[0-9a-f]{32}@/i;
const randomBytes = 16;

/** An address at a host of the service that nobody can guess: who knows it writes into the inbox. */
export function newReceivingAddress(host: string): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(randomBytes));
  return `inbox-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}@${host}`;
}

/** Whether an address has the form of a receiving address, at any host. */
export function mayReceive(address: string): boolean {
  return receivingAddressForm.test(address);
}
