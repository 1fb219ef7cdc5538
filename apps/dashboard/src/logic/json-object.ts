import { parsedJson } from './parsed-json.js';

/** The object that a text is as JSON; nothing at all is an empty one. Undefined: it is no object. */
export function objectOfJson(text: string): object | undefined {
  const value = parsedJson(text.trim() === '' ? '{}' : text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
