import { isUtf8 } from 'node:buffer';
import { EncodedBytes, LargeText } from '#kernel';
import { brokenKey, hasNul, invalidJson, minLargeText, notUtf8 } from './body-limits.js';
import { ScannedBody } from './json-scanner.js';

/** Parses text that is not empty. Throws if it is not JSON. */
export type JsonParser = (text: string) => unknown;

/** `JSON.parse` that ignores a byte order mark in front. */
export const plainJson: JsonParser = (text) => JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as unknown;

/**
 * The value of a JSON body. Undefined if it is empty. Keys that would change a prototype and NUL characters are
 * refused. Half a surrogate pair, which JavaScript clients create when they cut a text, becomes U+FFFD; in a key it is
 * refused, because renaming many keys would take long.
 */
export function parseBody(body: Buffer, parseJson: JsonParser): unknown {
  if (!isUtf8(body)) throw notUtf8();
  const text = body.toString();
  if (text.trim() === '') return undefined;
  return parseText(text, parseJson);
}

/** The value of a large body, with the parts that were cut out of it. */
export function parseScanned({ skeleton, parts }: ScannedBody, mark: string, parseJson: JsonParser): unknown {
  const value = parseBody(skeleton, parseJson);
  if (parts.length === 0) return value;
  const part = (text: string): unknown => (text.startsWith(mark) ? parts[Number(text.slice(mark.length))] : text);
  return withLargeTexts(withTexts(value, part));
}

function parseText(text: string, parseJson: JsonParser): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw invalidJson();
  }
  // Searching the text for escapes would take longer, because most emails contain many backslashes.
  return withLargeTexts(withTexts(value, checkedText));
}

function checkedText(text: string): string {
  if (text.includes('\0')) throw hasNul();
  return text.toWellFormed();
}

/** Moves the html and text of an email, or of the emails of a batch, out of the heap before the request waits. */
function withLargeTexts(value: unknown): unknown {
  for (const email of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (typeof email !== 'object' || email === null) continue;
    for (const name of ['html', 'text']) {
      const text = (email as Container)[name];
      if (typeof text === 'string' && text.length >= minLargeText) (email as Container)[name] = LargeText.from(text);
    }
  }
  return value;
}

type Container = Record<string | number, unknown>;

/**
 * Whether the object has a key that would change a prototype when it is copied. Fastify's parser searches the text for
 * such keys twice, which takes at least 60 of the 340 µs for parsing 100 KB.
 */
function reachesPrototype(container: Container): boolean {
  if (Object.hasOwn(container, '__proto__')) return true;
  if (!Object.hasOwn(container, 'constructor')) return false;
  const given = container.constructor as unknown;
  return typeof given === 'object' && given !== null && Object.hasOwn(given, 'prototype');
}

function checkedKey(key: string): string {
  if (checkedText(key) !== key) throw brokenKey();
  return key;
}

/** Replaces the strings of a value in place, at any depth, without recursion. */
function withTexts(value: unknown, replace: (text: string) => unknown): unknown {
  const root: Container = { value };
  const containers = [root];
  const visit = (container: Container, key: string | number): void => {
    const item = container[key];
    if (typeof item === 'string') {
      const replaced = replace(item);
      if (replaced !== item) container[key] = replaced;
    } else if (typeof item === 'object' && item !== null && !(item instanceof EncodedBytes)) {
      containers.push(item as Container);
    }
  };
  for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
    if (Array.isArray(container)) for (let at = 0; at < container.length; at++) visit(container, at);
    else if (reachesPrototype(container)) throw invalidJson();
    else for (const key of Object.keys(container)) visit(container, checkedKey(key));
  }
  return root.value;
}
