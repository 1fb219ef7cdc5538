import { isUtf8 } from 'node:buffer';
import { EncodedBytes } from '#kernel';
import { hasNul, invalidJson, notUtf8 } from './body-limits.js';
import { ScannedBody } from './json-scanner.js';

/** Parses text that is not empty, and throws where it is no JSON or has a key that would reach a prototype. */
export type JsonParser = (text: string) => unknown;

/** What JSON has where a string holds a NUL, and half of a surrogate pair; both also where it only speaks of one. */
const mayHoldNul = '\\u0000';
const mayHoldHalfPair = /\\u[dD][89a-fA-F]/;

/**
 * The value of a JSON body; undefined where it is empty. Keys that would reach a prototype and NUL are refused; half of a
 * surrogate pair, which JavaScript clients make when they cut a text, becomes U+FFFD.
 */
export function parseBody(body: Buffer, parseJson: JsonParser): unknown {
  if (!isUtf8(body)) throw notUtf8();
  const text = body.toString();
  if (text.trim() === '') return undefined;
  return parseText(text, parseJson);
}

/** The same of a large body, with the parts that were cut out of it in their places. */
export function parseScanned({ skeleton, parts }: ScannedBody, mark: string, parseJson: JsonParser): unknown {
  const value = parseBody(skeleton, parseJson);
  if (parts.length === 0) return value;
  const part = (text: string): unknown => (text.startsWith(mark) ? parts[Number(text.slice(mark.length))] : text);
  return withTexts(value, part);
}

function parseText(text: string, parseJson: JsonParser): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw invalidJson();
  }
  if (!text.includes('\\u')) return value;
  return text.includes(mayHoldNul) || mayHoldHalfPair.test(text) ? withTexts(value, checkedText) : value;
}

function checkedText(text: string): string {
  if (text.includes('\0')) throw hasNul();
  return text.toWellFormed();
}

type Container = Record<string | number, unknown>;

/** Replaces the strings of a value where they stand, however deep: without recursion. */
function withTexts(value: unknown, replace: (text: string) => unknown): unknown {
  const root: Container = { value };
  const containers = [root];
  for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
    for (const key of Object.keys(container)) {
      const item = container[key];
      if (typeof item === 'string') container[key] = replace(item);
      else if (typeof item === 'object' && item !== null && !(item instanceof EncodedBytes)) {
        containers.push(item as Container);
      }
    }
  }
  return root.value;
}
