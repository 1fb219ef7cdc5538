import { createStore, del, get, set } from 'idb-keyval';
import type { JsonNode } from '../logic/document-json';

/** What a tab has written and the service may not have yet. It survives a crash of the tab. */
export interface LocalDraft {
  readonly at: number;
  /** What the service had when the tab last read or saved, and its revision. */
  readonly revision: number;
  readonly base: JsonNode;
  /** What was sent and is perhaps stored: no answer came yet. */
  readonly sent: readonly JsonNode[];
  readonly content: JsonNode;
}

/** As text, which the browser copies at once; a tree of nodes it would walk while somebody types. */
interface Kept {
  readonly at: number;
  readonly revision: number;
  readonly base: string;
  readonly sent: readonly string[];
  readonly content: string;
}

const maxAgeMs = 14 * 86_400_000;
const drafts = createStore('postrider', 'documents');

export async function readLocal(id: string): Promise<LocalDraft | undefined> {
  try {
    const kept = await get<Kept>(id, drafts);
    if (kept === undefined || Date.now() - kept.at > maxAgeMs) return undefined;
    const { at, revision, base, sent, content } = kept;
    return { at, revision, base: parsed(base), sent: sent.map(parsed), content: parsed(content) };
  } catch {
    return undefined;
  }
}

/** Errors are ignored: the service gets the document anyway. */
export async function keepLocal(id: string, draft: LocalDraft): Promise<void> {
  const { at, revision, base, sent, content } = draft;
  const kept: Kept = { at, revision, base: textOf(base), sent: sent.map(textOf), content: textOf(content) };
  await set(id, kept, drafts).catch(() => undefined);
}

export async function forgetLocal(id: string): Promise<void> {
  await del(id, drafts).catch(() => undefined);
}

const parsed = (text: string): JsonNode => JSON.parse(text) as JsonNode;

/** Documents are not changed, so each becomes text once. */
const texts = new WeakMap<JsonNode, string>();

function textOf(node: JsonNode): string {
  const text = texts.get(node) ?? JSON.stringify(node);
  texts.set(node, text);
  return text;
}
