import { Mailbox, parseMailbox } from '#kernel';
import { ListenAddress, listenAddress, parseHostName, urlsOfHosts } from './addresses.js';

/** Declares one environment variable: its parser, its default, and its description in `docs/configuration.md`. */
export interface Variable<Value> {
  readonly name: string;
  readonly description: string;
  /** Shown in `docs/configuration.md`. The default is this text, parsed. Undefined: no default, the value is optional. */
  readonly defaultText?: string;
  readonly parse: (text: string) => Value;
}

/** A variable with a default, so that it always has a value. */
export interface Defaulted<Value> extends Variable<Value> {
  readonly defaultText: string;
}

export function text(name: string, description: string): Variable<string>;
export function text(name: string, description: string, defaultText: string): Defaulted<string>;
export function text(name: string, description: string, defaultText?: string): Variable<string> {
  return { name, description, defaultText, parse: (value) => value };
}

export function integer(
  name: string,
  description: string,
  defaultText: string,
  range: { min: number; max: number },
): Defaulted<number> {
  return {
    name,
    description,
    defaultText,
    parse: (value) => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
      if (!(number >= range.min && number <= range.max)) {
        throw new Error(`must be a whole number from ${range.min} to ${range.max}`);
      }
      return number;
    },
  };
}

export function flag(name: string, description: string): Defaulted<boolean> {
  return {
    name,
    description,
    defaultText: 'false',
    parse: (value) => {
      if (/^(true|1|yes|on)$/i.test(value)) return true;
      if (/^(false|0|no|off)$/i.test(value)) return false;
      throw new Error('must be true or false');
    },
  };
}

export function choice<Value extends string>(
  name: string,
  description: string,
  defaultText: Value,
  values: readonly Value[],
): Defaulted<Value> {
  return {
    name,
    description: `${description} (${values.map((value) => `\`${value}\``).join(', ')})`,
    defaultText,
    parse: (value) => {
      if (!(values as readonly string[]).includes(value)) throw new Error(`must be one of ${values.join(', ')}`);
      return value as Value;
    },
  };
}

export function list<Item>(
  name: string,
  description: string,
  defaultText: string,
  parseItem: (text: string) => Item,
): Defaulted<readonly Item[]> {
  return {
    name,
    description,
    defaultText,
    parse: (value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .map(parseItem),
  };
}

/** A number of ascending shares in percent: `0.1,0.3,0.5`. */
export function shares(name: string, description: string, defaultText: string): Defaulted<readonly number[]> {
  const count = defaultText.split(',').length;
  return {
    name,
    description,
    defaultText,
    parse: (value) => {
      const numbers = value.split(',').map((part) => (/^\s*\d{1,3}(?:\.\d{1,4})?\s*$/.test(part) ? Number(part) : NaN));
      const isAscending = numbers.every((share, at) => share > (numbers[at - 1] ?? 0) && share <= 100);
      if (numbers.length !== count || !isAscending) throw new Error(`must be ${count} ascending shares in percent`);
      return numbers;
    },
  };
}

/** A list that can be set to empty with `none`: an empty variable means its default, as for all variables. */
export function orNone<Item>(variable: Defaulted<readonly Item[]>): Defaulted<readonly Item[]> {
  return { ...variable, parse: (value) => (value.trim().toLowerCase() === 'none' ? [] : variable.parse(value)) };
}

export function url(name: string, description: string, protocols: readonly string[]): Variable<string> {
  return {
    name,
    description,
    parse: (value) => {
      const protocol = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : '';
      if (!protocols.includes(protocol))
        throw new Error(`must be a URL that starts with ${protocols.join('://, ')}://`);
      return value;
    },
  };
}

/** The value is not in the message: it may be secret. */
export function jsonObject(name: string, description: string): Variable<Readonly<Record<string, unknown>>> {
  return {
    name,
    description,
    parse: (value) => {
      const parsed = parsedJson(value);
      if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
      throw new Error('must be a JSON object');
    },
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A base URL to which paths are added. One that has a path itself would lose it, or the pages behind it their links. */
export function baseUrl(name: string, description: string): Variable<string> {
  const { parse } = url(name, description, ['http', 'https']);
  return {
    name,
    description,
    parse: (value) => {
      const { origin, href } = new URL(parse(value));
      if (href === `${origin}/`) return origin;
      throw new Error('must not have a path, a query or a user name: it needs a host name or a port of its own');
    },
  };
}

/** A PostgreSQL, or several of which one is the primary: `postgres://user:password@a:5432,b:5432/name`. */
export function databaseUrl(name: string, description: string): Variable<string> {
  const { parse } = url(name, description, ['postgres', 'postgresql']);
  return {
    name,
    description,
    parse: (value) => {
      for (const one of urlsOfHosts(value)) parse(one);
      return value;
    },
  };
}

/** One URL, or several separated by commas. */
export function urls(name: string, description: string, protocols: readonly string[]): Variable<readonly string[]> {
  const { parse } = url(name, description, protocols);
  return { name, description, parse: (value) => value.split(',').map((one) => parse(one.trim())) };
}

/** A fully qualified host name. */
export function hostName(name: string, description: string): Variable<string> {
  return { name, description, parse: parseHostName };
}

/** An email address with an optional display name. */
export function mailbox(name: string, description: string): Variable<Mailbox> {
  return {
    name,
    description,
    parse: (value) => {
      const parsed = parseMailbox(value);
      if (parsed === undefined) throw new Error('must be an email address, such as `Postrider <notices@example.com>`');
      return parsed;
    },
  };
}

/** An address to listen on, or none. A port without a host means loopback. */
export function optionalListenAddress(name: string, description: string): Variable<ListenAddress> {
  return { name, description, parse: (value) => listenAddress(value.includes(':') ? value : `127.0.0.1:${value}`) };
}
