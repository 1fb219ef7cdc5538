import { Broadcasts, ReadBroadcasts } from '#broadcasts';
import type { Permission, Principal } from '#identity';
import { ComposedContent, ContentOrigin, found, isUuid, NotFoundError } from '#kernel';
import { ReadTemplates, WriteTemplates } from '#templates';
import { Injectable } from '@nestjs/common';
import { ContentRef } from '../domain/content.js';
import { ContentState, ContentStates } from './ports/contents.port.js';

/** A broadcast or a template, as far as the editor is concerned. */
export interface ComposableContent {
  /** With the id, also where the alias was asked for. */
  readonly ref: ContentRef;
  readonly name: string;
  readonly origin: ContentOrigin;
  readonly html: string | null;
  readonly text: string | null;
  readonly isEditable: boolean;
}

/** Broadcasts and templates behind one door: both have a content that is composed. */
@Injectable()
export class ComposableContents {
  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly readBroadcasts: ReadBroadcasts,
    private readonly templates: WriteTemplates,
    private readonly readTemplates: ReadTemplates,
    private readonly states: ContentStates,
  ) {}

  /** The same as `find` without what the content says. */
  async state(principal: Principal, ref: ContentRef): Promise<ContentState> {
    principal.require(permissionOf(ref, 'read'));
    return found(ref.type === 'broadcast' ? 'Broadcast' : 'Template', await this.states.find(principal.teamId, ref));
  }

  /** Throws NotFoundError if the team has none with this id. */
  async find(principal: Principal, ref: ContentRef, action: 'read' | 'write'): Promise<ComposableContent> {
    principal.require(permissionOf(ref, action));
    return ref.type === 'broadcast' ? this.broadcast(principal, ref.id) : this.template(principal, ref.id);
  }

  /** Returns the new revision. */
  async compose(
    principal: Principal,
    ref: ContentRef,
    content: ComposedContent,
    base: number | undefined,
  ): Promise<number> {
    if (ref.type === 'broadcast') return this.broadcasts.compose(principal, ref.id, content, base);
    return (await this.templates.compose(principal, ref.id, content, base)).revision;
  }

  async writeHtml(principal: Principal, ref: ContentRef, html: string, text: string | null): Promise<void> {
    // Null as well: the text of the document that was there would go with the html otherwise.
    const fields = { html, text };
    if (ref.type === 'broadcast') await this.broadcasts.change(principal, ref.id, fields);
    else await this.templates.change(principal, ref.id, fields);
  }

  private async broadcast({ teamId }: Principal, id: string): Promise<ComposableContent> {
    if (!isUuid(id)) throw new NotFoundError('Broadcast');
    const broadcast = await this.readBroadcasts.find(teamId, id.toLowerCase());
    return {
      ref: { type: 'broadcast', id: broadcast.id },
      name: broadcast.name ?? broadcast.subject,
      origin: broadcast,
      html: broadcast.html,
      text: broadcast.text,
      isEditable: broadcast.status === 'draft' || broadcast.status === 'scheduled',
    };
  }

  private async template({ teamId }: Principal, id: string): Promise<ComposableContent> {
    const { template, version } = await this.readTemplates.find(teamId, id);
    return {
      ref: { type: 'template', id: template.id },
      name: template.name,
      origin: version,
      html: version.html,
      text: version.text,
      isEditable: true,
    };
  }
}

function permissionOf({ type }: ContentRef, action: 'read' | 'write'): Permission {
  return type === 'broadcast' ? `broadcasts:${action}` : `templates:${action}`;
}
