import { parseDomainName, parseEmailAddress, storableText, ValidationError } from '#kernel';
import { AddressPattern, parsePattern } from './address-pattern.js';
import { conditionTests, HeaderCondition } from './header-condition.js';
import { maxConditions, maxForwards, RouteAction } from './route.js';

/** A condition as a request has it. */
export interface RequestedCondition {
  readonly header?: unknown;
  readonly test?: unknown;
  readonly value?: unknown;
  readonly not?: unknown;
}

/** An action as a request has it: its type, and the fields that the type needs. */
export interface RequestedAction {
  readonly type?: unknown;
  readonly to?: unknown;
  readonly host?: unknown;
  readonly port?: unknown;
  readonly text?: unknown;
}

const maxNameLength = 100;
const maxValueLength = 500;
const maxTextLength = 400;
const defaultPorts = { smtp: 25, lmtp: 24 } as const;

export function parseRouteName(name: string): string {
  const text = name.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  if (text.length > maxNameLength || !text.isWellFormed()) {
    throw new ValidationError(`The \`name\` may have at most ${maxNameLength} characters.`);
  }
  return text;
}

export function parseRecipient(text: string): AddressPattern {
  return parsePattern(text);
}

export function parseConditions(conditions: readonly RequestedCondition[]): readonly HeaderCondition[] {
  if (conditions.length > maxConditions) {
    throw new ValidationError(`A route may have at most ${maxConditions} \`conditions\`.`);
  }
  return conditions.map(parseCondition);
}

export function parseAction(action: RequestedAction): RouteAction {
  switch (action.type) {
    case 'webhook':
    case 'drop':
      return { type: action.type };
    case 'forward':
      return { type: 'forward', to: parseForwards(action.to) };
    case 'smtp':
    case 'lmtp':
      return { type: action.type, ...parseHost(action.host, action.port ?? defaultPorts[action.type]) };
    case 'reject':
      return { type: 'reject', text: parseReply(action.text ?? 'This address takes no mail') };
    default:
      throw new ValidationError(
        'The `action.type` must be one of `webhook`, `forward`, `smtp`, `lmtp`, `reject`, `drop`.',
      );
  }
}

/** A refusal is sent before the content, so it cannot depend on the header. */
export function checkCombination(conditions: readonly HeaderCondition[], action: RouteAction): void {
  if (action.type === 'reject' && conditions.length > 0) {
    throw new ValidationError(
      'A route that rejects cannot have `conditions`: the recipient is refused before the header arrives. Use `drop` instead.',
    );
  }
}

function parseCondition({ header, test = 'contains', value = '', not = false }: RequestedCondition): HeaderCondition {
  if (typeof header !== 'string' || !/^[\x21-\x39\x3b-\x7e]{1,100}$/.test(header)) {
    throw new ValidationError('The `header` of a condition must be the name of a header field.');
  }
  const known = conditionTests.find((each) => each === test);
  if (known === undefined) {
    throw new ValidationError(
      `The \`test\` of a condition must be one of ${conditionTests.map((each) => `\`${each}\``).join(', ')}.`,
    );
  }
  if (typeof value !== 'string' || value.length > maxValueLength || (known !== 'exists' && value === '')) {
    throw new ValidationError(`The \`value\` of a condition must be a text of 1 to ${maxValueLength} characters.`);
  }
  if (typeof not !== 'boolean') throw new ValidationError('The `not` of a condition must be a boolean.');
  return { header: header.toLowerCase(), test: known, value: known === 'exists' ? '' : storableText(value), not };
}

function parseForwards(to: unknown): readonly string[] {
  const texts = typeof to === 'string' ? [to] : to;
  if (!Array.isArray(texts) || texts.length === 0 || texts.length > maxForwards) {
    throw new ValidationError(`The \`action.to\` must have from 1 to ${maxForwards} addresses.`);
  }
  const addresses = texts.map((text: unknown) => {
    const parsed = typeof text === 'string' ? parseEmailAddress(text.trim()) : undefined;
    if (parsed === undefined)
      throw new ValidationError('Each address of `action.to` must be like `email@example.com`.');
    return parsed.address;
  });
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}

function parseHost(host: unknown, port: unknown): { readonly host: string; readonly port: number } {
  const text = typeof host === 'string' ? host.trim().toLowerCase() : '';
  const name = parseDomainName(text) ?? (isAddress(text) ? text : undefined);
  if (name === undefined) throw new ValidationError('The `action.host` must be a host name or an IP address.');
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new ValidationError('The `action.port` must be a number between 1 and 65535.');
  }
  return { host: name, port };
}

/** Enough to tell an address from a name; what is no address is not connected to. */
function isAddress(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || /^(?=.*:)[0-9a-f:.]{2,45}$/.test(text);
}

/** One line of ASCII, which an SMTP reply can have. */
function parseReply(text: unknown): string {
  if (typeof text !== 'string' || !/^[\x20-\x7e]+$/.test(text) || text.length > maxTextLength) {
    throw new ValidationError(`The \`action.text\` must be one line of at most ${maxTextLength} ASCII characters.`);
  }
  return text.trim();
}
