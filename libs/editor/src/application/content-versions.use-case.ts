import type { Principal } from '#identity';
import { Clock, found, newId, Page, PageRequest, storableText, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ContentRef, maxNamedVersions, maxVersionNameLength, VersionSummary } from '../domain/content.js';
import { ComposableContents } from './composable-contents.js';
import { EditorContents } from './editor-contents.use-case.js';
import { DocumentComposer } from './ports/document-composer.port.js';
import { VersionRepository } from './ports/contents.port.js';

/** Lists and names the versions of a content. */
@Injectable()
export class ContentVersions {
  constructor(
    private readonly contents: ComposableContents,
    private readonly editor: EditorContents,
    private readonly versions: VersionRepository,
    private readonly composer: DocumentComposer,
    private readonly clock: Clock,
  ) {}

  async list(principal: Principal, ref: ContentRef, page: PageRequest): Promise<Page<VersionSummary>> {
    const content = await this.contents.find(principal, ref, 'read');
    return this.versions.list(principal.teamId, content.ref, page);
  }

  /** Keeps what is there, or a document that could not be stored because somebody else had changed it, under a name. Returns its id. */
  async keep(principal: Principal, ref: ContentRef, name: string, given?: unknown): Promise<string> {
    const { ref: known, origin, html, text } = await this.contents.find(principal, ref, 'write');
    const document =
      given === undefined ? origin.document : (await this.composer.check(principal.teamId, given)).document;
    const now = this.clock.now();
    const isHtml = given === undefined && origin.contentSource === 'html';
    const id = newId(now.getTime());
    const isAdded = await this.versions.add({
      id,
      teamId: principal.teamId,
      ref: known,
      name: checkedName(name),
      content: isHtml
        ? { kind: 'html', html: html ?? '', text }
        : { kind: 'editor', document: document ?? '{"type":"doc","content":[]}' },
      createdAt: now,
      updatedAt: now,
      actor: principal.actor,
    });
    if (!isAdded) throw tooManyNames();
    return id;
  }

  /** An empty name takes it away. */
  async rename(principal: Principal, id: string, name: string): Promise<void> {
    await this.editor.version(principal, id, 'write');
    const { teamId } = principal;
    if (await this.versions.rename(teamId, id, name.trim() === '' ? null : checkedName(name))) return;
    found('Version', await this.versions.find(teamId, id));
    throw tooManyNames();
  }
}

function tooManyNames(): ValidationError {
  return new ValidationError(`There may be at most ${maxNamedVersions} versions with a name.`);
}

function checkedName(name: string): string {
  const trimmed = storableText(name.trim());
  if (trimmed.length > 0 && trimmed.length <= maxVersionNameLength) return trimmed;
  throw new ValidationError(`The \`name\` of a version must have 1 to ${maxVersionNameLength} characters.`);
}
