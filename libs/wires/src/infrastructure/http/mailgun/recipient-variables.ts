import type { MergeValues } from '#kernel';
import { ValidationError } from '#kernel';
import {
  bracesValue,
  countedTags,
  maxPersonalVariables,
  tagOfNumber,
  verbatim,
  withoutBraces,
} from '../merge-braces.js';
import { jsonObjectOf } from '../wire-fields.js';

const maxAddresses = 1_000;
/** Of a header, before and after its variables are filled in. */
const maxHeaderLength = 8_000;

const variable = /%recipient(?:\.([\w.-]{1,100})|_email)?%/g;
/** No variable has this name. */
const addressName = '';

/**
 * The variables of recipients: `%recipient.name%`, and `%recipient%` for the address. They become merge tags of ours with
 * numbers for names, since ours have neither case nor hyphens. Braces that the text has itself become a merge tag as
 * well, so that no text of the client is read as one.
 */
export class RecipientVariables {
  private readonly numbers = new Map<string, number>();
  private readonly byAddress: ReadonlyMap<string, Readonly<Record<string, unknown>>>;

  private constructor(given: Readonly<Record<string, unknown>>) {
    const entries = Object.entries(given).map(([address, values]) => {
      if (typeof values !== 'object' || values === null || Array.isArray(values)) {
        throw new ValidationError('`recipient-variables` must have an object for each address.');
      }
      return [address.toLowerCase(), values as Record<string, unknown>] as const;
    });
    if (entries.length > maxAddresses) {
      throw new ValidationError(`\`recipient-variables\` may have at most ${maxAddresses} addresses.`);
    }
    this.byAddress = new Map(entries);
  }

  /** Undefined: the client sends one email to all. */
  static of(text: string | undefined): RecipientVariables | undefined {
    return text === undefined ? undefined : new RecipientVariables(jsonObjectOf('recipient-variables', text));
  }

  /** The text with merge tags of ours. To be called for all texts before the values are asked for. */
  tagged(text: string): string {
    const tagged = withoutBraces(text).replace(variable, (_whole, name: string | undefined) =>
      tagOfNumber(this.numberOf(name ?? addressName)),
    );
    return countedTags('message', tagged);
  }

  valuesOf(address: string): MergeValues {
    const values = this.of(address);
    const named = [...this.numbers].map(([name, number]) => {
      const value = name === addressName ? address : textOf(values, name);
      return verbatim(number, value);
    });
    return { ...bracesValue, ...Object.fromEntries(named) };
  }

  inHeaders(address: string, headers: Readonly<Record<string, string>>): Record<string, string> {
    const values = this.of(address);
    const filled = Object.entries(headers).map(([header, text]) => {
      if (!text.includes('%recipient')) return [header, text] as const;
      if (text.length > maxHeaderLength) throw tooLongHeader(header);
      const value = text.replace(variable, (_whole, name: string | undefined) =>
        name === undefined ? address : textOf(values, name).slice(0, maxHeaderLength + 1),
      );
      if (value.length > maxHeaderLength) throw tooLongHeader(header);
      return [header, value] as const;
    });
    return Object.fromEntries(filled);
  }

  private of(address: string): Readonly<Record<string, unknown>> {
    return this.byAddress.get(address.toLowerCase()) ?? {};
  }

  private numberOf(name: string): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    if (this.numbers.size >= maxPersonalVariables) {
      throw new ValidationError(`A message may use at most ${maxPersonalVariables} variables of recipients.`);
    }
    this.numbers.set(name, this.numbers.size);
    return this.numbers.size - 1;
  }
}

function tooLongHeader(name: string): ValidationError {
  return new ValidationError(`The value of the \`${name}\` header is longer than ${maxHeaderLength} characters.`);
}

function textOf(values: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean).toString();
}
