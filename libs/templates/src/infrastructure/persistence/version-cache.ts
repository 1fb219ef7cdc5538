import { bytesOfText, maxMergeTags } from '#kernel';
import { PublishedTemplate } from '../../domain/published-template.js';
import { textOfVariable } from '../../domain/template-variable.js';

/** Bytes of versions with all that is kept of them: of all teams, and of one team. */
const maxBytes = 32 * 1024 * 1024;
const maxTeamBytes = 4 * 1024 * 1024;
/** What a version costs beside its texts and its tags. */
const overheadBytes = 2 * 1024;
/** What a variable costs beside its fallback. */
const variableBytes = 200;
/** What emails compile of a tag, and its name for look-ups: measured 129 for `{{{A}}}`, and 560 for long, distinct names. */
const tagBytes = 400;

interface Entry {
  readonly template: PublishedTemplate;
  readonly bytes: number;
}

/**
 * Published versions by id, within fixed limits. What was used the longest time ago leaves first: of the team, if the
 * team has too much, and of all otherwise. A published version never changes, so that nothing here can be out of date.
 */
export class VersionCache {
  /** In the order of use. */
  private readonly entries = new Map<string, Entry>();
  private readonly bytesOfTeam = new Map<string, number>();
  private bytes = 0;

  get(versionId: string): PublishedTemplate | undefined {
    const entry = this.entries.get(versionId);
    if (entry === undefined) return undefined;
    this.entries.delete(versionId);
    this.entries.set(versionId, entry);
    return entry.template;
  }

  add(template: PublishedTemplate): void {
    const { versionId, teamId } = template;
    if (this.entries.has(versionId)) return;
    const bytes = bytesOf(template);
    this.entries.set(versionId, { template, bytes });
    this.count(teamId, bytes);
    // The new one stays even if it is too large by itself, or each of its emails would read it again.
    const isOther = (entry: Entry): boolean => entry.template !== template;
    let isRemoved = true;
    while (isRemoved && (this.bytesOfTeam.get(teamId) ?? 0) > maxTeamBytes)
      isRemoved = this.removeOldest((entry) => isOther(entry) && entry.template.teamId === teamId);
    while (this.bytes > maxBytes && this.removeOldest(isOther));
  }

  get size(): number {
    return this.entries.size;
  }

  /** False if there is no candidate. */
  private removeOldest(isCandidate: (entry: Entry) => boolean): boolean {
    for (const [id, entry] of this.entries) {
      if (!isCandidate(entry)) continue;
      this.entries.delete(id);
      this.count(entry.template.teamId, -entry.bytes);
      return true;
    }
    return false;
  }

  private count(teamId: string, bytes: number): void {
    this.bytes += bytes;
    const ofTeam = (this.bytesOfTeam.get(teamId) ?? 0) + bytes;
    if (ofTeam > 0) this.bytesOfTeam.set(teamId, ofTeam);
    else this.bytesOfTeam.delete(teamId);
  }
}

function bytesOf({ html, text, subject, variables }: PublishedTemplate): number {
  let bytes = overheadBytes;
  for (const part of [html, text, subject]) {
    if (part !== null) bytes += bytesOfText(part) + tagBytes * possibleTags(part);
  }
  for (const { fallbackValue } of variables) {
    bytes += variableBytes + (fallbackValue === null ? 0 : bytesOfText(textOfVariable(fallbackValue)));
  }
  return bytes;
}

/** At least as many as are compiled. */
function possibleTags(text: string): number {
  let count = 0;
  for (let at = text.indexOf('{{'); at !== -1 && count <= maxMergeTags; at = text.indexOf('{{', at + 2)) count++;
  return count;
}
