import type { JsonNode } from '../logic/document-json';

/** What a tab has written and the service may not have yet. It survives a crash of the tab. */
export interface LocalDraft {
  readonly base: number;
  readonly at: number;
  readonly content: JsonNode;
}

const prefix = 'postrider.document.';
const maxAgeMs = 14 * 86_400_000;

export function readLocal(id: string): LocalDraft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(prefix + id) ?? 'null') as LocalDraft | null;
    return draft === null || Date.now() - draft.at > maxAgeMs ? undefined : draft;
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
