import { bytesOfText } from '#kernel';
import { PublishedTemplate } from '../../domain/published-template.js';

/** Bytes of html and text in memory: of all teams, and of one team. Each version also costs its compiled form. */
const maxBytes = 32 * 1024 * 1024;
const maxTeamBytes = 4 * 1024 * 1024;
/** What a version costs beside its texts. */
const overheadBytes = 2 * 1024;

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
    const { versionId, teamId, html, text } = template;
    if (this.entries.has(versionId)) return;
    const bytes = overheadBytes + bytesOfText(html) + bytesOfText(text ?? '');
    this.entries.set(versionId, { template, bytes });
    this.count(teamId, bytes);
    while ((this.bytesOfTeam.get(teamId) ?? 0) > maxTeamBytes)
      this.removeOldest((entry) => entry.template.teamId === teamId);
    while (this.bytes > maxBytes) this.removeOldest(() => true);
  }

  get size(): number {
    return this.entries.size;
  }

  private removeOldest(isCandidate: (entry: Entry) => boolean): void {
    for (const [id, entry] of this.entries) {
      if (!isCandidate(entry)) continue;
      this.entries.delete(id);
      this.count(entry.template.teamId, -entry.bytes);
      return;
    }
  }

  private count(teamId: string, bytes: number): void {
    this.bytes += bytes;
    const ofTeam = (this.bytesOfTeam.get(teamId) ?? 0) + bytes;
    if (ofTeam > 0) this.bytesOfTeam.set(teamId, ofTeam);
    else this.bytesOfTeam.delete(teamId);
  }
}
