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

const prefix = 'postrider.document.';
const maxAgeMs = 14 * 86_400_000;

export function readLocal(id: string): LocalDraft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(prefix + id) ?? 'null') as Partial<LocalDraft> | null;
    const isWhole = typeof draft?.base === 'object' && draft.content !== undefined && draft.revision !== undefined;
    return isWhole && Date.now() - (draft.at ?? 0) <= maxAgeMs ? (draft as LocalDraft) : undefined;
  } catch {
    return undefined;
  }
}

export function keepLocal(id: string, draft: LocalDraft): void {
  try {
    localStorage.setItem(prefix + id, JSON.stringify(draft));
  } catch {
    // The storage is full or closed: the service still gets it.
  }
}

export function forgetLocal(id: string): void {
  localStorage.removeItem(prefix + id);
}
