import { ReadBroadcasts } from '#broadcasts';
import { Page, PageRequest } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import { InMemoryUnitOfWork } from './in-memory-unit-of-work.js';
import { Config } from '#platform/config';
import { ParserThreads } from '#platform/parsing';
import { SecretBox } from '#platform/secrets';
import { ReadTemplates, WriteTemplates } from '#templates';
import { ComposableContents } from '../../../libs/editor/src/application/composable-contents.js';
import { ContentVersions } from '../../../libs/editor/src/application/content-versions.use-case.js';
import { EditorContents } from '../../../libs/editor/src/application/editor-contents.use-case.js';
import { EditorPresence } from '../../../libs/editor/src/application/editor-presence.use-case.js';
import {
  Arrival,
  ContentState,
  ContentStates,
  PresenceBoard,
  VersionRepository,
} from '../../../libs/editor/src/application/ports/contents.port.js';
import {
  SectionRepository,
  StyleRepository,
} from '../../../libs/editor/src/application/ports/sections-and-styles.port.js';
import { SavedSections } from '../../../libs/editor/src/application/saved-sections.use-case.js';
import { StylesOfTeams } from '../../../libs/editor/src/application/styles-of-teams.use-case.js';
import {
  ContentRef,
  ContentVersion,
  maxNamedVersions,
  Presence,
  versionSpanMs,
  VersionSummary,
} from '../../../libs/editor/src/domain/content.js';
import { maxSections, SavedSection, SectionUse } from '../../../libs/editor/src/domain/saved-section.js';
import { GivenStyles } from '../../../libs/editor/src/domain/styles/team-styles.js';
import { SignedAssetLinks } from '../../../libs/editor/src/infrastructure/assets/signed-asset-links.js';
import { ThreadedDocumentComposer } from '../../../libs/editor/src/infrastructure/composing/threaded-document-composer.js';
import { InMemoryBroadcasting } from './in-memory-broadcasting.js';
import { InMemoryTemplateRepository } from './in-memory-templates.js';

class InMemoryVersions extends VersionRepository {
  private readonly rows = new InMemoryRows<ContentVersion & { readonly isClosed?: boolean }>();

  async record(version: ContentVersion): Promise<void> {
    const all = this.of(version.teamId, version.ref);
    const isOpen = ({ name, content, isClosed = false }: (typeof all)[number]): boolean =>
      name === null && content.kind === version.content.kind && !isClosed;
    const last = all
      .slice(all.findLastIndex((one) => !isOpen(one)) + 1)
      .findLast(({ actor }) => JSON.stringify(actor) === JSON.stringify(version.actor));
    const isSame = last !== undefined && version.createdAt.getTime() - last.createdAt.getTime() < versionSpanMs;
    this.rows.set(isSame ? { ...last, content: version.content, updatedAt: version.updatedAt } : version);
  }

  async close(version: ContentVersion): Promise<void> {
    const last = this.of(version.teamId, version.ref).at(-1);
    const isSame = last !== undefined && JSON.stringify(last.content) === JSON.stringify(version.content);
    this.rows.set({ ...(isSame ? last : version), isClosed: true });
  }

  async add(version: ContentVersion): Promise<boolean> {
    if (this.of(version.teamId, version.ref).filter(({ name }) => name !== null).length >= maxNamedVersions)
      return false;
    this.rows.set(version);
    return true;
  }

  async list(teamId: string, ref: ContentRef, page: PageRequest): Promise<Page<VersionSummary>> {
    const { items, hasMore } = this.rows.page(page, (row) => row.teamId === teamId && row.ref.id === ref.id);
    return { items: items.map(({ content, ...rest }) => ({ ...rest, kind: content.kind })), hasMore };
  }

  async find(teamId: string, id: string): Promise<ContentVersion | undefined> {
    const row = this.rows.get(id);
    return row?.teamId === teamId ? row : undefined;
  }

  async rename(teamId: string, id: string, name: string | null): Promise<boolean> {
    const row = await this.find(teamId, id);
    if (row === undefined) return false;
    const named = this.of(teamId, row.ref).filter((one) => one.name !== null);
    if (name !== null && row.name === null && named.length >= maxNamedVersions) return false;
    this.rows.set({ ...row, name });
    return true;
  }

  private of(teamId: string, ref: ContentRef): (ContentVersion & { readonly isClosed?: boolean })[] {
    return this.rows.where((row) => row.teamId === teamId && row.ref.id === ref.id);
  }
}

class InMemoryPresences extends PresenceBoard {
  private present: (Presence & { readonly key: string })[] = [];

  async arrive({ teamId, ref, clientId, name, kind, isWriting, cursor }: Arrival): Promise<readonly Presence[]> {
    const key = `${teamId} ${ref.id}`;
    const others = this.present.filter((one) => one.key !== key || one.clientId !== clientId);
    this.present = [...others, { key, clientId, name, kind, isWriting, cursor, seenAt: new Date() }];
    return this.list(teamId, ref);
  }

  async leave(teamId: string, ref: ContentRef, clientId: string): Promise<void> {
    this.present = this.present.filter((one) => one.key !== `${teamId} ${ref.id}` || one.clientId !== clientId);
  }

  async list(teamId: string, ref: ContentRef): Promise<readonly Presence[]> {
    return this.present.filter(({ key }) => key === `${teamId} ${ref.id}`);
  }
}

class InMemoryContentStates extends ContentStates {
  constructor(
    private readonly broadcasts: ReadBroadcasts,
    private readonly templates: ReadTemplates,
  ) {
    super();
  }

  async find(teamId: string, { type, id }: ContentRef): Promise<ContentState> {
    if (type === 'broadcast') {
      const { contentRevision: revision, status } = await this.broadcasts.find(teamId, id);
      return { ref: { type, id }, revision, isEditable: status === 'draft' || status === 'scheduled' };
    }
    const { template, version } = await this.templates.find(teamId, id);
    return { ref: { type, id: template.id }, revision: version.contentRevision, isEditable: true };
  }
}

class InMemoryStyles extends StyleRepository {
  private readonly byTeam = new Map<string, GivenStyles>();

  async find(teamId: string): Promise<GivenStyles> {
    return this.byTeam.get(teamId) ?? {};
  }

  async save(teamId: string, styles: GivenStyles): Promise<void> {
    this.byTeam.set(teamId, styles);
  }
}

class InMemorySections extends SectionRepository {
  private readonly rows = new InMemoryRows<SavedSection>();
  /** What the other libs would be asked for. */
  readonly using: SectionUse[] = [];

  async add(section: SavedSection): Promise<boolean> {
    if (this.rows.where(({ teamId }) => teamId === section.teamId).length >= maxSections) return false;
    this.rows.set(section);
    return true;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<SavedSection>> {
    return this.rows.page(page, (row) => row.teamId === teamId);
  }

  async find(teamId: string, id: string): Promise<SavedSection | undefined> {
    const row = this.rows.get(id);
    return row?.teamId === teamId ? row : undefined;
  }

  async change(teamId: string, id: string, changes: object, now: Date): Promise<SavedSection | undefined> {
    const row = await this.find(teamId, id);
    if (row === undefined) return undefined;
    this.rows.set({ ...row, ...changes, updatedAt: now });
    return this.find(teamId, id);
  }

  async remove(teamId: string, id: string): Promise<boolean> {
    const isThere = (await this.find(teamId, id)) !== undefined;
    if (isThere) this.rows.delete(id);
    return isThere;
  }

  async uses(): Promise<Page<SectionUse>> {
    return { items: this.using, hasMore: false };
  }
}

/** Starts a thread for large documents only. */
export function composerOf(threads: ParserThreads): ThreadedDocumentComposer {
  const config = { values: { publicUrl: 'https://mail.test' } } as Config;
  return new ThreadedDocumentComposer(threads, new SignedAssetLinks(config, new SecretBox('0'.repeat(64))));
}

/** Everything that the use cases of the editor take, in memory, for one team. */
export class InMemoryEditor {
  readonly broadcasting = new InMemoryBroadcasting();
  readonly principal = this.broadcasting.principal;
  readonly clock = this.broadcasting.clock;
  readonly templates = new InMemoryTemplateRepository();
  readonly versions = new InMemoryVersions();
  readonly styles = new InMemoryStyles();
  readonly writeTemplates = new WriteTemplates(this.templates, new InMemoryUnitOfWork(), this.clock);
  readonly readTemplates = new ReadTemplates(this.templates);
  readonly readBroadcasts = new ReadBroadcasts(this.broadcasting.broadcasts, {} as never, {} as never);
  readonly contents = new ComposableContents(
    this.broadcasting.write,
    this.readBroadcasts,
    this.writeTemplates,
    this.readTemplates,
    new InMemoryContentStates(this.readBroadcasts, this.readTemplates),
  );
  readonly composer = composerOf(new ParserThreads());
  readonly editor = new EditorContents(this.contents, this.versions, this.styles, this.composer, this.clock);
  readonly kept = new ContentVersions(this.contents, this.editor, this.versions, this.composer, this.clock);
  readonly presence = new EditorPresence(this.contents, new InMemoryPresences());
  readonly savedSections = new InMemorySections();
  readonly sections = new SavedSections(this.savedSections, this.editor, this.composer, this.clock);
  readonly ofTeams = new StylesOfTeams(this.styles, this.clock);

  /** A template with html that was written by hand. */
  async template(): Promise<ContentRef> {
    return {
      type: 'template',
      id: await this.writeTemplates.create(this.principal, { name: 'T', html: '<p>Old</p>' }),
    };
  }
}
