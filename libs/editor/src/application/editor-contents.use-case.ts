import type { Principal } from '#identity';
import { Clock, ContentChangedError, found, newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ContentRef, ContentVersion, VersionContent } from '../domain/content.js';
import { emptyDocument, EmailDocument } from '../domain/document/document-node.js';
import type { ImportFormat } from '../domain/importing/import-html.js';
import { RenderedEmail } from '../domain/rendering/render-document.js';
import { parseStyles } from '../domain/styles/team-styles.js';
import { ComposableContent, ComposableContents } from './composable-contents.js';
import { DocumentComposer } from './ports/document-composer.port.js';
import { StyleRepository } from './ports/sections-and-styles.port.js';
import { VersionRepository } from './ports/contents.port.js';

export interface WrittenContent {
  readonly ref: ContentRef;
  readonly revision: number;
  /** What was left out of the document. */
  readonly notes: readonly string[];
}

interface Replacement {
  /** The revision on which the document is based. Undefined: it replaces what is there. */
  readonly base?: number;
  /** What of the present content becomes a version: what was written by hand, or documents as well. */
  readonly keeps: 'html' | 'all';
}

/** Without a base, as long as others change the content at the same moment. */
const maxTries = 8;

interface PreviewOptions {
  readonly kind: ContentRef['type'];
  readonly styles?: unknown;
  readonly hasMjml?: boolean;
}

type PreviewedDocument = RenderedEmail & {
  readonly document: EmailDocument;
  readonly mjml?: string;
  readonly notes: readonly string[];
};

/** Reads and writes documents, and keeps what they were before. */
@Injectable()
export class EditorContents {
  constructor(
    private readonly contents: ComposableContents,
    private readonly versions: VersionRepository,
    private readonly styles: StyleRepository,
    private readonly composer: DocumentComposer,
    private readonly clock: Clock,
  ) {}

  /** The document that was composed last; an empty one if there was none. */
  async read(
    principal: Principal,
    ref: ContentRef,
  ): Promise<{ readonly content: ComposableContent; readonly document: EmailDocument }> {
    const content = await this.contents.find(principal, ref, 'read');
    const { document } = content.origin;
    return { content, document: document === null ? emptyDocument : (JSON.parse(document) as EmailDocument) };
  }

  /**
   * Checks a document, renders it, and stores all of it. Html that was written by hand becomes a version, so that nothing is thrown
   * away. @param base the revision on which the document is based. Undefined: it replaces what is there.
   */
  write(principal: Principal, ref: ContentRef, given: unknown, base?: number): Promise<WrittenContent> {
    return this.replace(principal, ref, given, { base, keeps: 'html' });
  }

  /** Renders a document that is not stored. @param own styles to try, in place of those of the team */
  async preview(
    teamId: string,
    given: unknown,
    { kind, styles: own, hasMjml }: PreviewOptions,
  ): Promise<PreviewedDocument> {
    const styles = own === undefined ? await this.styles.find(teamId) : parseStyles(own);
    const composed = await this.composer.compose(teamId, given, { kind, styles, hasMjml });
    return { ...composed, document: JSON.parse(composed.document) as EmailDocument };
  }

  /** A text of another program as a document, which is not stored. */
  async import(
    teamId: string,
    format: ImportFormat,
    text: string,
  ): Promise<{ readonly document: EmailDocument; readonly notes: readonly string[] }> {
    const { document, notes } = await this.composer.import(teamId, format, text);
    return { document: JSON.parse(document) as EmailDocument, notes };
  }

  /** Writes a version as the content. What is there becomes a version itself. */
  async restore(principal: Principal, versionId: string): Promise<WrittenContent> {
    const { ref, content } = await this.version(principal, versionId, 'write');
    if (content.kind === 'editor') {
      return this.replace(principal, ref, JSON.parse(content.document), { keeps: 'all' });
    }
    await this.keepPresent(principal, await this.contents.find(principal, ref, 'write'), 'all');
    await this.contents.writeHtml(principal, ref, content.html, content.text);
    const { origin } = await this.contents.find(principal, ref, 'read');
    return { ref, revision: origin.contentRevision, notes: [] };
  }

  /** Throws NotFoundError if the team has no such version, or none of a content that is still there. */
  async version(principal: Principal, id: string, action: 'read' | 'write' = 'read'): Promise<ContentVersion> {
    const version = found('Version', await this.versions.find(principal.teamId, id));
    await this.contents.find(principal, version.ref, action);
    return version;
  }

  /** The same as `write`, with a choice of what is kept. */
  async replace(
    principal: Principal,
    ref: ContentRef,
    given: unknown,
    { base, keeps }: Replacement,
  ): Promise<WrittenContent> {
    let before = await this.contents.find(principal, ref, 'write');
    const look = { kind: before.ref.type, styles: await this.styles.find(principal.teamId) };
    const { notes, ...composed } = await this.composer.compose(principal.teamId, given, look);
    for (let tries = 1; ; tries++) {
      await this.keepPresent(principal, before, keeps);
      try {
        // Only what was kept is replaced. If others write all the time, the document replaces what is there.
        const kept = tries < maxTries ? before.origin.contentRevision : undefined;
        const revision = await this.contents.compose(principal, before.ref, composed, base ?? kept);
        await this.versions.record(versionOf(principal, before.ref, contentOf(composed.document), this.clock.now()));
        return { ref: before.ref, revision, notes };
      } catch (error) {
        if (!(error instanceof ContentChangedError) || base !== undefined) throw error;
        before = await this.contents.find(principal, ref, 'write');
      }
    }
  }

  /** As a version to which nothing is added. */
  private async keepPresent(
    principal: Principal,
    { ref, origin, html, text }: ComposableContent,
    keeps: Replacement['keeps'],
  ): Promise<void> {
    const now = this.clock.now();
    if (origin.contentSource === 'editor' && origin.document !== null) {
      if (keeps === 'all') await this.versions.close(versionOf(principal, ref, contentOf(origin.document), now));
    } else if (html !== null && html !== '') {
      await this.versions.close(versionOf(principal, ref, { kind: 'html', html, text }, now));
    }
  }
}

function contentOf(document: string): VersionContent {
  return { kind: 'editor', document };
}

function versionOf({ teamId, actor }: Principal, ref: ContentRef, content: VersionContent, now: Date): ContentVersion {
  return { id: newId(now.getTime()), teamId, ref, name: null, content, createdAt: now, updatedAt: now, actor };
}
