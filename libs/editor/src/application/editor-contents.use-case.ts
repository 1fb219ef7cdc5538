import type { Principal } from '#identity';
import { Clock, found, newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ContentRef } from '../domain/content-ref.js';
import { ContentVersion, VersionContent } from '../domain/content-version.js';
import { emptyDocument, EmailDocument } from '../domain/document/document-node.js';
import type { ImportFormat } from '../domain/importing/imported-document.js';
import { RenderedEmail } from '../domain/rendering/render-document.js';
import { parseStyles } from '../domain/styles/team-styles.js';
import { ComposableContent, ComposableContents } from './composable-contents.js';
import { DocumentComposer } from './ports/document-composer.port.js';
import { StyleRepository } from './ports/style-repository.port.js';
import { VersionRepository } from './ports/version-repository.port.js';

export interface WrittenContent {
  readonly ref: ContentRef;
  readonly revision: number;
  /** What was left out of the document. */
  readonly notes: readonly string[];
}

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
   * away. @param base the revision on which the document is based. Undefined: it takes the place of whatever is there.
   */
  async write(principal: Principal, ref: ContentRef, given: unknown, base?: number): Promise<WrittenContent> {
    const before = await this.contents.find(principal, ref, 'write');
    const look = { kind: before.ref.type, styles: await this.styles.find(principal.teamId) };
    const { notes, ...composed } = await this.composer.compose(principal.teamId, given, look);
    const { origin, html, text } = before;
    if (origin.contentSource === 'html' && html !== null && html !== '') {
      await this.record(principal, before.ref, { kind: 'html', html, text });
    }
    const revision = await this.contents.compose(principal, before.ref, composed, base);
    await this.record(principal, before.ref, { kind: 'editor', document: composed.document });
    return { ref: before.ref, revision, notes };
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
    if (content.kind === 'editor') return this.write(principal, ref, JSON.parse(content.document));
    await this.keepPresent(principal, ref);
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

  private async keepPresent(principal: Principal, ref: ContentRef): Promise<void> {
    const { origin, html, text } = await this.contents.find(principal, ref, 'write');
    if (origin.contentSource === 'editor' && origin.document !== null) {
      await this.record(principal, ref, { kind: 'editor', document: origin.document });
    } else if (html !== null && html !== '') await this.record(principal, ref, { kind: 'html', html, text });
  }

  private record({ teamId, actor }: Principal, ref: ContentRef, content: VersionContent): Promise<void> {
    const now = this.clock.now();
    return this.versions.record({
      id: newId(now.getTime()),
      teamId,
      ref,
      name: null,
      content,
      createdAt: now,
      updatedAt: now,
      actor,
    });
  }
}
